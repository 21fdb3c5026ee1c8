// The EC2 Query protocol: form in, XML out, one dispatch table.
#include <fmt/format.h>

#include <pugixml.hpp>

#include "fakes/ec2/actions.h"
#include "fakes/service.h"
#include "sim/kernel/check.h"

namespace fakes {
namespace {

using ec2::Call;
using sim::cloud::ApiError;

constexpr std::string_view kVersion = "2016-11-15";
constexpr const char* kNamespace = "http://ec2.amazonaws.com/doc/2016-11-15/";

struct ActionRow {
  std::string_view name;
  ec2::Action action;
};
constexpr ActionRow kActions[] = {
    {"AttachVolume", ec2::attach_volume},
    {"CancelSpotFleetRequests", ec2::cancel_spot_fleet_requests},
    {"CancelSpotInstanceRequests", ec2::cancel_spot_instance_requests},
    {"CreateLaunchTemplate", ec2::create_launch_template},
    {"CreateSnapshot", ec2::create_snapshot},
    {"CreateTags", ec2::create_tags},
    {"CreateVolume", ec2::create_volume},
    {"DeleteLaunchTemplate", ec2::delete_launch_template},
    {"DeleteSnapshot", ec2::delete_snapshot},
    {"DeleteTags", ec2::delete_tags},
    {"DeleteVolume", ec2::delete_volume},
    {"DescribeAvailabilityZones", ec2::describe_availability_zones},
    {"DescribeInstanceStatus", ec2::describe_instance_status},
    {"DescribeInstanceTypes", ec2::describe_instance_types},
    {"DescribeInstances", ec2::describe_instances},
    {"DescribeLaunchTemplateVersions", ec2::describe_launch_template_versions},
    {"DescribeLaunchTemplates", ec2::describe_launch_templates},
    {"DescribeRegions", ec2::describe_regions},
    {"DescribeSecurityGroups", ec2::describe_security_groups},
    {"DescribeSnapshots", ec2::describe_snapshots},
    {"DescribeSpotFleetInstances", ec2::describe_spot_fleet_instances},
    {"DescribeSpotFleetRequestHistory", ec2::describe_spot_fleet_request_history},
    {"DescribeSpotFleetRequests", ec2::describe_spot_fleet_requests},
    {"DescribeSpotInstanceRequests", ec2::describe_spot_instance_requests},
    {"DescribeSpotPriceHistory", ec2::describe_spot_price_history},
    {"DescribeSubnets", ec2::describe_subnets},
    {"DescribeTags", ec2::describe_tags},
    {"DescribeVolumeStatus", ec2::describe_volume_status},
    {"DescribeVolumes", ec2::describe_volumes},
    {"DescribeVpcs", ec2::describe_vpcs},
    {"DetachVolume", ec2::detach_volume},
    {"ModifySpotFleetRequest", ec2::modify_spot_fleet_request},
    {"RequestSpotFleet", ec2::request_spot_fleet},
    {"RequestSpotInstances", ec2::request_spot_instances},
    {"RunInstances", ec2::run_instances},
    {"TerminateInstances", ec2::terminate_instances},
};

const ActionRow& find_action(const Form& form) {
  const auto action = form.find("Action");
  if (action == form.end() || action->second.empty()) {
    throw ApiError("MissingAction", "No action was supplied with this request.");
  }
  for (const auto& row : kActions) {
    if (row.name == action->second) return row;
  }
  throw ApiError("InvalidAction",
                 "The action " + action->second + " is not valid for this web service.");
}

void check_version(const Form& form) {
  const auto version = form.find("Version");
  if (version == form.end()) {
    throw ApiError("MissingParameter", "The request must contain the parameter Version");
  }
  if (version->second != kVersion) {
    throw ApiError("NoSuchVersion", "The requested version (" + version->second +
                                        ") of service AmazonEC2 does not exist");
  }
}

std::string client_token(const Form& form) {
  for (const char* name : {"ClientToken", "SpotFleetRequestConfig.ClientToken"}) {
    const auto found = form.find(name);
    if (found != form.end()) return found->second;
  }
  return "";
}

struct StringWriter : pugi::xml_writer {
  std::string text;
  void write(const void* data, std::size_t size) override {
    text.append(static_cast<const char*>(data), size);
  }
};

std::string print(const pugi::xml_document& document) {
  StringWriter out;
  out.text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  document.save(out, "", pugi::format_raw | pugi::format_no_declaration);
  return std::move(out.text);
}

std::string perform(Backend& backend, const ActionRow& row, const ServiceRequest& request) {
  pugi::xml_document document;
  ec2::Node root = document.append_child((std::string(row.name) + "Response").c_str());
  root.append_attribute("xmlns") = kNamespace;
  ec2::add_text(root, "requestId", request.request_id);
  Call call(backend, ec2::Parameters(request.parameters), root);
  row.action(call);
  SIM_CHECK(call.started());
  return print(document);
}

std::string repeat(const TokenUse& first, const std::string& token, const ServiceRequest& request) {
  if (first.parameters != request.parameters) {
    throw ApiError("IdempotentParameterMismatch",
                   "The client token " + token + " was used with other parameters before.");
  }
  std::string again = first.answer;
  return again.replace(again.find(first.request_id), first.request_id.size(), request.request_id);
}

std::string answer(Backend& backend, const ActionRow& row, const ServiceRequest& request) {
  check_version(request.parameters);
  const std::string token = client_token(request.parameters);
  if (token.empty()) return perform(backend, row, request);
  const auto key = fmt::format("{}/{}", row.name, token);
  const auto first = backend.client_tokens.find(key);
  if (first != backend.client_tokens.end()) return repeat(first->second, token, request);
  std::string text = perform(backend, row, request);
  backend.client_tokens[key] = {request.parameters, text, request.request_id};
  return text;
}

Response response_with(std::string body, const std::string& request_id) {
  Response response;
  response.set("x-amzn-RequestId", request_id);
  response.set(boost::beast::http::field::content_type, "text/xml;charset=UTF-8");
  response.body() = std::move(body);
  return response;
}

}  // namespace

Response ec2_error(const ApiError& error, const std::string& request_id) {
  pugi::xml_document document;
  ec2::Node root = document.append_child("Response");
  ec2::Node item = root.append_child("Errors").append_child("Error");
  ec2::add_text(item, "Code", error.code());
  ec2::add_text(item, "Message", error.what());
  ec2::add_text(root, "RequestID", request_id);
  Response response = response_with(print(document), request_id);
  response.result(static_cast<unsigned>(error.http_status()));
  return response;
}

Service ec2_query(Backend& backend) {
  return [&backend](const ServiceRequest& request) -> ServiceAnswer {
    const auto action = request.parameters.find("Action");
    const std::string name = action == request.parameters.end() ? "" : action->second;
    try {
      const ActionRow& row = find_action(request.parameters);
      return {response_with(answer(backend, row, request), request.request_id), name, "ok"};
    } catch (const ApiError& error) {
      return {ec2_error(error, request.request_id), name, error.code()};
    }
  };
}

}  // namespace fakes
