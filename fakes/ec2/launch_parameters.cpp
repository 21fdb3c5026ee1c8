#include "fakes/ec2/launch_parameters.h"

#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/requests.h"
#include "fakes/ec2/run_template.h"
#include "sim/cloud/error.h"
#include "sim/vpc/network.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::BlockDevice;
using sim::cloud::LaunchSpec;

api::Parameters form_of(const aws::RunInstancesRequest& request) {
  using Op = op::RunInstances;
  return api::form_of(*Op::service().operations[Op::kAt].input.shape, &request,
                      api::FormStyle::kEc2);
}

api::Opt<std::string> if_any(const std::string& text) {
  return text.empty() ? api::Opt<std::string>() : api::Opt<std::string>(text);
}

aws::BlockDeviceMapping shown(const BlockDevice& device) {
  aws::EbsBlockDevice ebs{.encrypted = device.volume.encrypted,
                          .snapshot_id = if_any(device.volume.from.value),
                          .volume_type = device.volume.type};
  if (device.volume.size_gib > 0) ebs.volume_size = device.volume.size_gib;
  return {.device_name = device.device, .ebs = std::move(ebs)};
}

void add_tags(aws::RunInstancesRequest& request, const char* type, const sim::cloud::Tags& tags) {
  if (tags.empty()) return;
  aws::TagSpecification specification{.resource_type = type};
  for (const auto& [key, value] : tags) specification.tags.push_back({.key = key, .value = value});
  request.tag_specifications.push_back(std::move(specification));
}

// Null: the request names no template, or none that exists.
std::optional<aws::RunInstancesRequest> completed(Backend& backend,
                                                  const aws::RunInstancesRequest& request) {
  if (!request.launch_template) return {};
  try {
    aws::RunInstancesRequest completed = with_template(Call(backend), request);
    completed.launch_template = request.launch_template;
    return completed;
  } catch (const sim::cloud::ApiError&) {
    return {};
  }
}

// The request of a launch without a template.
aws::RunInstancesRequest request_of(const LaunchSpec& spec) {
  aws::RunInstancesRequest request{.key_name = if_any(spec.key_name)};
  request.security_group_ids.assign(spec.security_group_ids.begin(), spec.security_group_ids.end());
  for (const BlockDevice& device : spec.block_devices)
    request.block_device_mappings.push_back(shown(device));
  if (!spec.iam_instance_profile.empty())
    request.iam_instance_profile =
        aws::IamInstanceProfileSpecification{.name = spec.iam_instance_profile};
  if (spec.imds_v2_required)
    request.metadata_options = aws::InstanceMetadataOptionsRequest{.http_tokens = "required"};
  return request;
}

// The request of a launch with a template. Empty if the template no longer exists.
std::optional<aws::RunInstancesRequest> request_with_template(Backend& backend,
                                                              const LaunchSpec& spec) {
  if (spec.launch_template.empty()) return {};
  return completed(backend, {.launch_template = aws::LaunchTemplateSpecification{
                                 .launch_template_id = spec.launch_template.value,
                                 .version = if_any(spec.launch_template_version)}});
}

// Whether the request names this placement group by its ID.
bool has_group_id(const Backend& backend, const aws::RunInstancesRequest& request,
                  const std::string& group) {
  const auto* const named = backend.cloud.network().placement_groups.named(group);
  return named != nullptr && request.placement && request.placement->group_id == named->id;
}

// Adds the place, which an override may set. A subnet may already be that of an interface, and a
// template may name its placement group by ID.
void add_place(const Backend& backend, aws::RunInstancesRequest& request, const LaunchSpec& spec) {
  const auto is_in = [&](const auto& interface) { return interface.subnet_id == spec.subnet_id; };
  if (!spec.subnet_id.empty() && std::ranges::none_of(request.network_interfaces, is_in))
    request.subnet_id = spec.subnet_id;
  if (spec.availability_zone.empty() && spec.placement_group.empty()) return;
  if (!request.placement) request.placement.emplace();
  request.placement->availability_zone = if_any(spec.availability_zone);
  if (has_group_id(backend, request, spec.placement_group)) return;
  request.placement->group_name = if_any(spec.placement_group);
  request.placement->group_id.reset();
}

}  // namespace

std::optional<api::Parameters> completed_launch(Backend& backend, const api::Operation& operation,
                                                const void* request) {
  if (operation.name != "RunInstances") return {};
  const auto request_with_template =
      completed(backend, *static_cast<const aws::RunInstancesRequest*>(request));
  if (!request_with_template) return {};
  return form_of(*request_with_template);
}

std::optional<api::Parameters> template_parameters(Backend& backend,
                                                   const api::Parameters& parameters) {
  const auto value = [&](const char* name) {
    return if_any(std::string(api::find_parameter(parameters, name)));
  };
  const aws::LaunchTemplateSpecification named{
      .launch_template_id = value("LaunchTemplate.LaunchTemplateId"),
      .launch_template_name = value("LaunchTemplate.LaunchTemplateName"),
      .version = value("LaunchTemplate.Version")};
  if (!named.launch_template_id && !named.launch_template_name) return {};
  const auto request = completed(backend, {.launch_template = named});
  if (!request) return {};
  return form_of(*request);
}

api::Parameters parameters_of_launch(Backend& backend, const LaunchSpec& spec,
                                     sim::cloud::Lifecycle lifecycle) {
  auto of_template = request_with_template(backend, spec);
  aws::RunInstancesRequest request = of_template ? *of_template : request_of(spec);
  if (!spec.image_id.empty()) request.image_id = spec.image_id;
  request.instance_type = spec.instance_type;
  request.max_count = request.min_count = 1;
  add_place(backend, request, spec);
  if (lifecycle == sim::cloud::Lifecycle::kSpot)
    request.instance_market_options = aws::InstanceMarketOptionsRequest{.market_type = "spot"};
  request.tag_specifications.clear();
  add_tags(request, "instance", spec.tags);
  add_tags(request, "volume", spec.volume_tags);
  add_tags(request, "spot-instances-request", spec.request_tags);
  return form_of(request);
}

}  // namespace fakes::ec2
