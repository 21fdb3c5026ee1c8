// Launch templates and their versions.
#include "fakes/ec2/launch_templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

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
using sim::cloud::LaunchTemplateVersion;
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

// Throws NotFoundException with this message if there is none.
const LaunchTemplate& find_by_name(const Call& call, const std::string& name,
                                   const std::string& message) {
  for (const auto& [id, launch_template] : call.cloud.launch_templates()) {
    if (launch_template.name == name) return launch_template;
  }
  throw ApiError("InvalidLaunchTemplateName.NotFoundException", message);
}

std::string created_by(const Call& call) {
  return fmt::format("arn:aws:iam::{}:root", call.cloud.config().account_id);
}

aws::LaunchTemplate shown(const Call& call, const LaunchTemplate& launch_template) {
  return {.create_time = timestamp(launch_template.created_at),
          .created_by = created_by(call),
          .default_version_number = launch_template.default_version,
          .latest_version_number = launch_template.versions.rbegin()->first,
          .launch_template_id = launch_template.id.value,
          .launch_template_name = launch_template.name,
          .tags = shown_tags(launch_template.tags)};
}

template <class Op>
const api::Side& side(api::Side api::Operation::*which) {
  return Op::service().operations[Op::kAt].*which;
}

const api::Shape& data_shape() {
  const api::Shape& request = *side<op::CreateLaunchTemplate>(&api::Operation::input).shape;
  return *member_named(request, "LaunchTemplateData").shape;
}

// Copies the data of a request into the version that shows it. Their members have the same names.
std::string as_text(const aws::RequestLaunchTemplateData& data) {
  std::string text;
  append_json(text, data_shape(), &data, api::JsonStyle::kPlain);
  return text;
}

aws::ResponseLaunchTemplateData shown_data(const LaunchTemplateVersion& of) {
  const api::Shape& response =
      *side<op::DescribeLaunchTemplateVersions>(&api::Operation::output).shape;
  const api::Shape& version = *member_named(response, "LaunchTemplateVersions").shape->element;
  aws::ResponseLaunchTemplateData data;
  api::read_json(of.given, *member_named(version, "LaunchTemplateData").shape, &data,
                 api::JsonStyle::kPlain);
  return data;
}

aws::LaunchTemplateVersion shown_version(const Call& call, const LaunchTemplate& launch_template,
                                         const LaunchTemplateVersion& version) {
  aws::LaunchTemplateVersion out{
      .create_time = timestamp(version.created_at),
      .created_by = created_by(call),
      .default_version = version.number == launch_template.default_version,
      .launch_template_data = shown_data(version),
      .launch_template_id = launch_template.id.value,
      .launch_template_name = launch_template.name,
      .version_number = version.number};
  if (!version.description.empty()) out.version_description = version.description;
  return out;
}

// Errors in a template that EC2 only reports as warnings, because the template may never be
// launched.
api::Opt<aws::ValidationWarning> warning(const sim::cloud::LaunchSpec& data) {
  aws::ValidationWarning found;
  for (const auto& group : data.security_group_ids) {
    try {
      check_security_group_id(group);
    } catch (const ApiError& error) {
      found.errors.push_back({.code = error.code(), .message = error.what()});
    }
  }
  return found.errors.empty() ? std::nullopt : api::Opt<aws::ValidationWarning>(found);
}

struct Listed {
  const LaunchTemplate* of;
  const LaunchTemplateVersion* version;
};
Values if_given(const api::Opt<std::string>& text) { return text ? Values{*text} : Values{}; }

// An option of the metadata service, as stated in the version's request.
template <auto kOption>
Values metadata_option(const Listed& listed, Backend&) {
  const auto options = given_data(*listed.version).metadata_options;
  return options ? if_given((*options).*kOption) : Values{};
}
using MetadataOptions = aws::LaunchTemplateInstanceMetadataOptionsRequest;

constexpr FilterRow<Listed> kVersionFilters[] = {
    {"ebs-optimized",
     [](const Listed& l, Backend&) {
       const auto given = given_data(*l.version).ebs_optimized;
       return given ? Values{*given ? "true" : "false"} : Values{};
     }},
    {"http-endpoint", metadata_option<&MetadataOptions::http_endpoint>},
    {"http-protocol-ipv6", metadata_option<&MetadataOptions::http_protocol_ipv6>},
    {"http-tokens", metadata_option<&MetadataOptions::http_tokens>},
    {"iam-instance-profile",
     [](const Listed& l, Backend&) {
       const auto profile = given_data(*l.version).iam_instance_profile;
       return profile ? if_given(profile->arn) : Values{};
     }},
    // Properties that no version has here.
    {"host-resource-group-arn", no_value<Listed>},
    {"http-protocol-ipv4", no_value<Listed>},
    {"kernel-id", no_value<Listed>},
    {"license-configuration-arn", no_value<Listed>},
    {"network-card-index", no_value<Listed>},
    {"ram-disk-id", no_value<Listed>},
    {"create-time", [](const Listed& l,
                       Backend&) { return Values{sim::iso_milliseconds(l.version->created_at)}; }},
    {"image-id", [](const Listed& l, Backend&) { return Values{l.version->data.image_id}; }},
    {"instance-type",
     [](const Listed& l, Backend&) { return Values{l.version->data.instance_type}; }},
    {"is-default-version",
     [](const Listed& l, Backend&) {
       return Values{l.version->number == l.of->default_version ? "true" : "false"};
     }},
};

// The versions of one template that a request names, newest first as in EC2's example.
std::vector<Listed> versions_of(const Call& call, const LaunchTemplate& of,
                                const aws::DescribeLaunchTemplateVersionsRequest& request) {
  std::set<int> named;
  for (const auto& version : request.versions)
    named.insert(call.cloud.launch_template_version(of.id, version).number);
  const auto bound = [&](const api::Opt<std::string>& given, int otherwise) {
    int number = 0;
    if (!given) return otherwise;
    const char* const end = given->data() + given->size();
    const auto read = std::from_chars(given->data(), end, number);
    if (read.ec != std::errc{} || read.ptr != end)
      throw invalid("MinVersion or MaxVersion", *given, "Expected a number.");
    return number;
  };
  const int low = bound(request.min_version, 1), high = bound(request.max_version, INT_MAX);
  std::vector<Listed> found;
  for (const auto& [number, version] : of.versions) {
    if (!named.empty() && !named.contains(number)) continue;
    if (number >= low && number <= high) found.insert(found.begin(), {&of, &version});
  }
  return found;
}

std::vector<Listed> listed(const Call& call,
                           const aws::DescribeLaunchTemplateVersionsRequest& request) {
  if (!request.versions.empty() && (request.min_version || request.max_version))
    throw ApiError("InvalidParameterCombination",
                   "The parameters Versions and MinVersion or MaxVersion cannot be used together");
  if (request.launch_template_id || request.launch_template_name)
    return versions_of(
        call, find_launch_template(call, request.launch_template_id, request.launch_template_name),
        request);
  const auto of_all = [](const std::string& v) { return v == "$Latest" || v == "$Default"; };
  if (request.versions.empty() || !std::ranges::all_of(request.versions, of_all))
    throw missing("LaunchTemplateId or LaunchTemplateName");
  std::vector<Listed> found;
  for (const auto& [id, launch_template] : call.cloud.launch_templates())
    std::ranges::copy(versions_of(call, launch_template, request), std::back_inserter(found));
  return found;
}

aws::DeleteLaunchTemplateVersionsResponseErrorItem not_deleted(const LaunchTemplate& of,
                                                               const std::string& version,
                                                               const ApiError& error) {
  std::int64_t number = 0;  // 0 for texts without a number, such as "$Latest"
  std::from_chars(version.data(), version.data() + version.size(), number);
  const bool none = error.code() == "InvalidLaunchTemplateId.VersionNotFound";
  return {.launch_template_id = of.id.value,
          .launch_template_name = of.name,
          .response_error = aws::ResponseError{.code = none ? "launchTemplateVersionDoesNotExist"
                                                            : "unexpectedError",
                                               .message = error.what()},
          .version_number = number};
}

}  // namespace

const LaunchTemplate& find_launch_template(const Call& call, const api::Opt<std::string>& id,
                                           const api::Opt<std::string>& name) {
  if (id && name)
    throw ApiError(
        "InvalidParameterCombination",
        "The parameters launchTemplateId and launchTemplateName cannot be used together");
  if (!id && !name) throw missing("LaunchTemplateId or LaunchTemplateName");
  if (id) return find_by_id(call, *id);
  return find_by_name(
      call, *name,
      "The specified launch template, with template name " + *name + ", does not exist.");
}

aws::RequestLaunchTemplateData given_data(const LaunchTemplateVersion& version) {
  aws::RequestLaunchTemplateData data;
  api::read_json(version.given, data_shape(), &data, api::JsonStyle::kPlain);
  return data;
}

aws::CreateLaunchTemplateResult create_launch_template(
    Call& call, const aws::CreateLaunchTemplateRequest& request) {
  const auto data = read_launch_template(call, *request.launch_template_data);
  const auto tags = read_tag_specifications(request.tag_specifications, "launch-template");
  const auto id = call.cloud.create_launch_template(
      required(request.launch_template_name, "LaunchTemplateName"), data, tags,
      as_text(*request.launch_template_data), text(request.version_description));
  return {.launch_template = shown(call, call.cloud.launch_templates().at(id)),
          .warning = warning(data)};
}

// Members of the new data replace those of the source version.
aws::CreateLaunchTemplateVersionResult create_launch_template_version(
    Call& call, const aws::CreateLaunchTemplateVersionRequest& request) {
  const auto& of =
      find_launch_template(call, request.launch_template_id, request.launch_template_name);
  std::string given = as_text(*request.launch_template_data);
  if (request.source_version) {
    const auto& source = call.cloud.launch_template_version(of.id, *request.source_version);
    auto merged = nlohmann::json::parse(source.given);
    merged.update(nlohmann::json::parse(given));
    given = merged.dump();
  }
  const auto data = read_launch_template(call, given_data({.given = given}));
  const int number = call.cloud.create_launch_template_version(of.id, data, given,
                                                               text(request.version_description));
  return {.launch_template_version = shown_version(call, of, of.versions.at(number)),
          .warning = warning(data)};
}

aws::ModifyLaunchTemplateResult modify_launch_template(
    Call& call, const aws::ModifyLaunchTemplateRequest& request) {
  if (request.launch_template_id && request.launch_template_name)
    throw ApiError("InvalidParameterCombination",
                   "Either provide launch template ID or launch template name to modify the "
                   "template.");
  const auto& of =
      find_launch_template(call, request.launch_template_id, request.launch_template_name);
  const std::string& version = required(request.default_version, "SetDefaultVersion");
  try {
    call.cloud.set_default_version(of.id, version);
  } catch (const ApiError& error) {
    if (error.code() != "InvalidLaunchTemplateId.VersionNotFound") throw;
    throw ApiError(error.code(),
                   fmt::format("The launch template version {} is not found for the specified "
                               "launch template.",
                               version));
  }
  return {.launch_template = shown(call, of)};
}

aws::DeleteLaunchTemplateVersionsResult delete_launch_template_versions(
    Call& call, const aws::DeleteLaunchTemplateVersionsRequest& request) {
  const auto& of =
      find_launch_template(call, request.launch_template_id, request.launch_template_name);
  check_given(request.versions, "LaunchTemplateVersion");
  aws::DeleteLaunchTemplateVersionsResult response;
  response.successfully_deleted_launch_template_versions.give();
  response.unsuccessfully_deleted_launch_template_versions.give();
  for (const auto& version : request.versions) {
    try {
      const int number = call.cloud.launch_template_version(of.id, version).number;
      call.cloud.delete_launch_template_version(of.id, version);
      response.successfully_deleted_launch_template_versions.push_back(
          {.launch_template_id = of.id.value,
           .launch_template_name = of.name,
           .version_number = number});
    } catch (const ApiError& error) {
      response.unsuccessfully_deleted_launch_template_versions.push_back(
          not_deleted(of, version, error));
    }
  }
  return response;
}

aws::DescribeLaunchTemplatesResult describe_launch_templates(
    Call& call, const aws::DescribeLaunchTemplatesRequest& request) {
  const auto& ids = request.launch_template_ids;
  const auto& names = request.launch_template_names;
  const Filters<LaunchTemplate> filters(request.filters, kLaunchTemplateFilters, tags_of);
  const Page page(request, {.of = "templates", .low = 1, .high = 200, .most = 200});

  std::vector<const LaunchTemplate*> found;
  for (const auto& id : ids) found.push_back(&find_by_id(call, id));
  for (const auto& name : names)
    found.push_back(&find_by_name(
        call, name,
        "At least one of the launch templates specified in the request does not exist."));
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
  const Filters<Listed> filters(request.filters, kVersionFilters);
  const Page page(request, {.of = "versions", .low = 1, .high = 200, .most = 200});
  auto found = listed(call, request);
  std::erase_if(found, [&](const Listed& l) { return !filters.match(l, call.backend); });
  aws::DescribeLaunchTemplateVersionsResult response{.next_token = page.cut(found)};
  response.launch_template_versions.give();
  for (const Listed& l : found)
    response.launch_template_versions.push_back(shown_version(call, *l.of, *l.version));
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
