#include "fakes/ec2/launch_parameters.h"

#include "fakes/ec2/actions.h"
#include "fakes/ec2/run_template.h"
#include "sim/cloud/error.h"

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

void add_place(aws::RunInstancesRequest& request, const LaunchSpec& spec) {
  request.subnet_id = if_any(spec.subnet_id);
  request.security_group_ids.assign(spec.security_group_ids.begin(), spec.security_group_ids.end());
  if (!spec.availability_zone.empty())
    request.placement = aws::Placement{.availability_zone = spec.availability_zone};
}

}  // namespace

std::optional<api::Parameters> completed_launch(Backend& backend, const api::Operation& operation,
                                                const void* request) {
  if (operation.name != "RunInstances") return {};
  const auto& launch = *static_cast<const aws::RunInstancesRequest*>(request);
  if (!launch.launch_template) return {};
  try {
    aws::RunInstancesRequest completed = with_template(Call(backend), launch);
    completed.launch_template = launch.launch_template;
    return form_of(completed);
  } catch (const sim::cloud::ApiError&) {
    return {};
  }
}

api::Parameters parameters_of_launch(const LaunchSpec& spec, sim::cloud::Lifecycle lifecycle) {
  aws::RunInstancesRequest request{.image_id = if_any(spec.image_id),
                                   .instance_type = spec.instance_type,
                                   .key_name = if_any(spec.key_name),
                                   .max_count = 1,
                                   .min_count = 1};
  add_place(request, spec);
  for (const BlockDevice& device : spec.block_devices)
    request.block_device_mappings.push_back(shown(device));
  if (!spec.iam_instance_profile.empty())
    request.iam_instance_profile =
        aws::IamInstanceProfileSpecification{.name = spec.iam_instance_profile};
  if (lifecycle == sim::cloud::Lifecycle::kSpot)
    request.instance_market_options = aws::InstanceMarketOptionsRequest{.market_type = "spot"};
  if (!spec.launch_template.empty())
    request.launch_template =
        aws::LaunchTemplateSpecification{.launch_template_id = spec.launch_template.value};
  if (spec.imds_v2_required)
    request.metadata_options = aws::InstanceMetadataOptionsRequest{.http_tokens = "required"};
  add_tags(request, "instance", spec.tags);
  add_tags(request, "volume", spec.volume_tags);
  add_tags(request, "spot-instances-request", spec.request_tags);
  return form_of(request);
}

}  // namespace fakes::ec2
