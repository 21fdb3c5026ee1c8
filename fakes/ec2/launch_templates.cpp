// Launch templates, of one version each.
#include "fakes/ec2/launch_templates.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/launch.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::LaunchTemplate;
using Values = std::vector<std::string>;

constexpr FilterRow<LaunchTemplate> kLaunchTemplateFilters[] = {
    {"create-time",
     [](const LaunchTemplate& t, Backend&) { return Values{sim::iso_milliseconds(t.created_at)}; }},
    {"launch-template-name", [](const LaunchTemplate& t, Backend&) { return Values{t.name}; }},
};

const sim::cloud::Tags& tags_of(const LaunchTemplate& launch_template) {
  return launch_template.tags;
}

const LaunchTemplate& find_by_id(const Call& call, const std::string& id) {
  const auto& all = call.cloud.launch_templates();
  const auto found = all.find(launch_template_id(id));
  if (found != all.end()) return found->second;
  throw ApiError("InvalidLaunchTemplateId.NotFound",
                 "The specified launch template, with template ID " + id + ", does not exist.");
}

const LaunchTemplate& find_by_name(const Call& call, const std::string& name) {
  for (const auto& [id, launch_template] : call.cloud.launch_templates()) {
    if (launch_template.name == name) return launch_template;
  }
  throw ApiError("InvalidLaunchTemplateName.NotFoundException",
                 "The specified launch template, with template name " + name + ", does not exist.");
}

std::string created_by(const Call& call) {
  return fmt::format("arn:aws:iam::{}:root", call.cloud.config().account_id);
}

void render(Node out, const Call& call, const LaunchTemplate& launch_template) {
  add_text(out, "launchTemplateId", launch_template.id.value);
  add_text(out, "launchTemplateName", launch_template.name);
  add_time(out, "createTime", launch_template.created_at);
  add_text(out, "createdBy", created_by(call));
  add_integer(out, "defaultVersionNumber", 1);
  add_integer(out, "latestVersionNumber", 1);
  add_tags(out, launch_template.tags);
}

void render_data(Node out, const sim::cloud::LaunchSpec& data) {
  const auto add = [&](Node parent, const char* name, const std::string& value) {
    if (!value.empty()) add_text(parent, name, value);
  };
  add(out, "imageId", data.image_id);
  add(out, "instanceType", data.instance_type);
  add(out, "keyName", data.key_name);
  if (!data.user_data.empty()) add_text(out, "userData", base::base64_encode(data.user_data));
  if (const auto& profile = data.iam_instance_profile; !profile.empty())
    add_text(out.append_child("iamInstanceProfile"), profile.starts_with("arn:") ? "arn" : "name",
             profile);
  if (!data.availability_zone.empty())
    add_text(out.append_child("placement"), "availabilityZone", data.availability_zone);
  if (!data.security_group_ids.empty()) {
    Node set = out.append_child("securityGroupIdSet");
    for (const auto& id : data.security_group_ids) add_text(set, "item", id);
  }
  if (!data.tags.empty()) {
    Node item = out.append_child("tagSpecificationSet").append_child("item");
    add_text(item, "resourceType", "instance");
    add_tags(item, data.tags);
  }
}

}  // namespace

const LaunchTemplate& find_launch_template(const Call& call, const Parameters& in) {
  const auto id = in.text("LaunchTemplateId"), name = in.text("LaunchTemplateName");
  if (id && name) {
    throw ApiError(
        "InvalidParameterCombination",
        "The parameters launchTemplateId and launchTemplateName cannot be used together");
  }
  if (!id && !name) {
    throw ApiError("MissingParameter", "The request must contain the parameter " +
                                           in.full_name("LaunchTemplateId") +
                                           " or its LaunchTemplateName");
  }
  return id ? find_by_id(call, *id) : find_by_name(call, *name);
}

void check_version(const LaunchTemplate& launch_template, const std::string& version) {
  if (version == "1" || version == "$Latest" || version == "$Default") return;
  throw ApiError("InvalidLaunchTemplateId.VersionNotFound",
                 fmt::format("Could not find the specified version {} for the launch template with "
                             "ID {}.",
                             version, launch_template.id.value));
}

void create_launch_template(Call& call) {
  const std::string name = call.in.required("LaunchTemplateName");
  call.in.accept("VersionDescription");
  call.in.accept("ClientToken");
  if (!call.in.has("LaunchTemplateData")) {
    throw ApiError("MissingParameter", "The request must contain the parameter LaunchTemplateData");
  }
  const auto data = read_launch_template(call, call.in.structure("LaunchTemplateData"));
  const auto tags = read_tag_specification(call.in, "launch-template");
  call.start();

  const auto id = call.cloud.create_launch_template(name, data, tags);
  render(call.out.append_child("launchTemplate"), call, call.cloud.launch_templates().at(id));
}

void describe_launch_templates(Call& call) {
  const auto ids = call.in.list("LaunchTemplateId");
  const auto names = call.in.list("LaunchTemplateName");
  const Filters<LaunchTemplate> filters(call.in, kLaunchTemplateFilters, tags_of);
  const Page page(call.in, 1, 200, 200);
  call.start();

  std::vector<const LaunchTemplate*> found;
  for (const auto& id : ids) found.push_back(&find_by_id(call, id));
  for (const auto& name : names) found.push_back(&find_by_name(call, name));
  if (ids.empty() && names.empty()) {
    for (const auto& [id, launch_template] : call.cloud.launch_templates())
      found.push_back(&launch_template);
  }
  std::erase_if(found, [&](const LaunchTemplate* t) { return !filters.match(*t, call.backend); });
  page.cut(found, call.out);
  Node set = call.out.append_child("launchTemplates");
  for (const auto* launch_template : found)
    render(set.append_child("item"), call, *launch_template);
}

void describe_launch_template_versions(Call& call) {
  const auto& launch_template = find_launch_template(call, call.in);
  const auto versions = call.in.list("LaunchTemplateVersion");
  const Page page(call.in, 1, 200, 200);
  call.start();

  for (const auto& version : versions) check_version(launch_template, version);
  Node item = call.out.append_child("launchTemplateVersionSet").append_child("item");
  add_text(item, "launchTemplateId", launch_template.id.value);
  add_text(item, "launchTemplateName", launch_template.name);
  add_integer(item, "versionNumber", 1);
  add_time(item, "createTime", launch_template.created_at);
  add_text(item, "createdBy", created_by(call));
  add_flag(item, "defaultVersion", true);
  render_data(item.append_child("launchTemplateData"), launch_template.data);
}

void delete_launch_template(Call& call) {
  const LaunchTemplate doomed = find_launch_template(call, call.in);
  call.start();

  call.cloud.delete_launch_template(doomed.id);
  render(call.out.append_child("launchTemplate"), call, doomed);
}

}  // namespace fakes::ec2
