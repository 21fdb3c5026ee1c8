// Launch templates, of one version each.
#include "fakes/ec2/launch_templates.h"

#include <fmt/format.h>

#include "api/json.h"
#include "api/value.h"
#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/launch.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

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
  return call.cloud.shown(launch_template_id(id));
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

aws::LaunchTemplate shown(const Call& call, const LaunchTemplate& launch_template) {
  return {.create_time = timestamp(launch_template.created_at),
          .created_by = created_by(call),
          .default_version_number = 1,
          .latest_version_number = 1,
          .launch_template_id = launch_template.id.value,
          .launch_template_name = launch_template.name,
          .tags = shown_tags(launch_template.tags)};
}

template <class Op>
const api::Side& side(api::Side api::Operation::*which) {
  return Op::service().operations[Op::kAt].*which;
}

// What a request gives, so that a version can show it: the members of both have the same names.
std::string given_data(const aws::RequestLaunchTemplateData& data) {
  const api::Shape& request = *side<op::CreateLaunchTemplate>(&api::Operation::input).shape;
  std::string text;
  append_json(text, *member_named(request, "LaunchTemplateData").shape, &data,
              api::JsonStyle::kPlain);
  return text;
}

aws::ResponseLaunchTemplateData shown_data(const LaunchTemplate& launch_template) {
  const api::Shape& response =
      *side<op::DescribeLaunchTemplateVersions>(&api::Operation::output).shape;
  const api::Shape& version = *member_named(response, "LaunchTemplateVersions").shape->element;
  aws::ResponseLaunchTemplateData data;
  api::read_json(launch_template.given, *member_named(version, "LaunchTemplateData").shape, &data,
                 api::JsonStyle::kPlain);
  return data;
}

}  // namespace

const LaunchTemplate& find_launch_template(const Call& call, const api::Opt<std::string>& id,
                                           const api::Opt<std::string>& name) {
  if (id && name)
    throw ApiError(
        "InvalidParameterCombination",
        "The parameters launchTemplateId and launchTemplateName cannot be used together");
  if (!id && !name) throw missing("LaunchTemplateId or LaunchTemplateName");
  return id ? find_by_id(call, *id) : find_by_name(call, *name);
}

void check_version(const LaunchTemplate& launch_template, const std::string& version) {
  if (version == "1" || version == "$Latest" || version == "$Default") return;
  throw ApiError("InvalidLaunchTemplateId.VersionNotFound",
                 fmt::format("Could not find the specified version {} for the launch template with "
                             "ID {}.",
                             version, launch_template.id.value));
}

aws::CreateLaunchTemplateResult create_launch_template(
    Call& call, const aws::CreateLaunchTemplateRequest& request) {
  const auto data = read_launch_template(call, *request.launch_template_data);
  const auto tags = read_tag_specifications(request.tag_specifications, "launch-template");
  const auto id = call.cloud.create_launch_template(
      required(request.launch_template_name, "LaunchTemplateName"), data, tags,
      given_data(*request.launch_template_data));
  return {.launch_template = shown(call, call.cloud.launch_templates().at(id))};
}

aws::DescribeLaunchTemplatesResult describe_launch_templates(
    Call& call, const aws::DescribeLaunchTemplatesRequest& request) {
  const auto& ids = request.launch_template_ids;
  const auto& names = request.launch_template_names;
  const Filters<LaunchTemplate> filters(request.filters, kLaunchTemplateFilters, tags_of);
  const Page page(request, {.of = "templates", .low = 1, .high = 200, .most = 200});

  std::vector<const LaunchTemplate*> found;
  for (const auto& id : ids) found.push_back(&find_by_id(call, id));
  for (const auto& name : names) found.push_back(&find_by_name(call, name));
  if (ids.empty() && names.empty()) {
    for (const auto& [id, launch_template] : call.cloud.launch_templates())
      found.push_back(&launch_template);
  }
  std::erase_if(found, [&](const LaunchTemplate* t) { return !filters.match(*t, call.backend); });
  aws::DescribeLaunchTemplatesResult response{.next_token = page.cut(found)};
  response.launch_templates.give();
  for (const auto* launch_template : found)
    response.launch_templates.push_back(shown(call, *launch_template));
  return response;
}

aws::DescribeLaunchTemplateVersionsResult describe_launch_template_versions(
    Call& call, const aws::DescribeLaunchTemplateVersionsRequest& request) {
  const auto& launch_template =
      find_launch_template(call, request.launch_template_id, request.launch_template_name);
  const Page page(request, {.of = "versions", .low = 1, .high = 200, .most = 200});
  for (const auto& version : request.versions) check_version(launch_template, version);
  aws::DescribeLaunchTemplateVersionsResult response;
  response.launch_template_versions.push_back({.create_time = timestamp(launch_template.created_at),
                                               .created_by = created_by(call),
                                               .default_version = true,
                                               .launch_template_data = shown_data(launch_template),
                                               .launch_template_id = launch_template.id.value,
                                               .launch_template_name = launch_template.name,
                                               .version_number = 1});
  response.next_token = page.cut(response.launch_template_versions.give());
  return response;
}

aws::DeleteLaunchTemplateResult delete_launch_template(
    Call& call, const aws::DeleteLaunchTemplateRequest& request) {
  const LaunchTemplate doomed =
      find_launch_template(call, request.launch_template_id, request.launch_template_name);
  call.cloud.delete_launch_template(doomed.id);
  return {.launch_template = shown(call, doomed)};
}

}  // namespace fakes::ec2
