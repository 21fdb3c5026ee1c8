#include <algorithm>
#include <any>
#include <utility>

#include "fakes/autoscaling/actions.h"
#include "fakes/autoscaling/requests.h"
#include "fakes/ec2/launch.h"
#include "fakes/ec2/requests.h"

namespace fakes::autoscaling {
namespace {

using Asked = aws::CreateLaunchConfigurationType;

api::ec2::BlockDeviceMapping as_ec2(const aws::BlockDeviceMapping& asked) {
  api::ec2::BlockDeviceMapping mapping{.device_name = asked.device_name,
                                       .virtual_name = asked.virtual_name};
  if (asked.ebs)
    mapping.ebs =
        api::ec2::EbsBlockDevice{.delete_on_termination = asked.ebs->delete_on_termination,
                                 .encrypted = asked.ebs->encrypted,
                                 .iops = asked.ebs->iops,
                                 .snapshot_id = asked.ebs->snapshot_id,
                                 .throughput = asked.ebs->throughput,
                                 .volume_size = asked.ebs->volume_size,
                                 .volume_type = asked.ebs->volume_type};
  return mapping;
}

// Reads the launch as a RunInstances request, because the same checks apply.
api::ec2::RunInstancesRequest as_ec2(const Asked& asked) {
  api::ec2::RunInstancesRequest run{
      .image_id = asked.image_id, .instance_type = asked.instance_type, .key_name = asked.key_name};
  for (const auto& mapping : asked.block_device_mappings)
    if (!mapping.no_device.value_or(false)) run.block_device_mappings.push_back(as_ec2(mapping));
  run.ebs_optimized = asked.ebs_optimized;
  run.user_data = asked.user_data;
  if (asked.iam_instance_profile) {
    auto& profile = run.iam_instance_profile.emplace();
    (asked.iam_instance_profile->starts_with("arn:") ? profile.arn : profile.name) =
        asked.iam_instance_profile;
  }
  if (asked.instance_monitoring)
    run.monitoring = {.enabled = asked.instance_monitoring->enabled.value_or(true)};
  for (const auto& group : asked.security_groups)
    (group.starts_with("sg-") ? run.security_group_ids : run.security_groups).push_back(group);
  return run;
}

model::LaunchRequest read_launch(const Call& call, const Asked& asked) {
  model::LaunchRequest request;
  request.spec = ec2::read_launch(call, as_ec2(asked)).at(0);
  if (asked.placement_tenancy.value_or("default") != "default")
    throw validation_error("PlacementTenancy: found " + *asked.placement_tenancy +
                           ", expected default: this simulated AWS has no dedicated hosts");
  if (asked.metadata_options)
    ec2::read_metadata_options(
        api::ec2::InstanceMetadataOptionsRequest{
            .http_endpoint = asked.metadata_options->http_endpoint,
            .http_put_response_hop_limit = asked.metadata_options->http_put_response_hop_limit,
            .http_tokens = asked.metadata_options->http_tokens},
        request.spec);
  request.spec.max_price = ec2::price(asked.spot_price, "SpotPrice");
  request.spot = request.spec.max_price.has_value();
  // By default instances of a launch configuration are monitored in detail (User Guide, "Configure
  // instance monitoring").
  if (!asked.instance_monitoring) request.spec.detailed_monitoring = true;
  return request;
}

const sim::cloud::Instance& find_instance(const Call& call, const std::string& id) {
  const auto found = call.cloud.instances().find({id});
  if (found == call.cloud.instances().end() || !call.cloud.shows(found->second))
    throw validation_error("Instance [" + id + "] is invalid.");
  return found->second;
}

// Copies members that the request does not have from the instance. The API reference
// (CreateLaunchConfiguration) says that "the launch configuration derives attributes from the
// instance, except for the block device mapping". So the user data is copied, too.
Asked with_instance(const Call& call, Asked asked, const std::string& id) {
  const auto& spec = find_instance(call, id).spec;
  const auto fill = [](api::Opt<std::string>& member, const std::string& value) {
    if (!member && !value.empty()) member = value;
  };
  fill(asked.image_id, spec.image_id);
  fill(asked.instance_type, spec.instance_type);
  fill(asked.key_name, spec.key_name);
  fill(asked.iam_instance_profile, spec.iam_instance_profile);
  if (asked.security_groups.empty()) asked.security_groups = spec.security_group_ids;
  if (!asked.ebs_optimized) asked.ebs_optimized = spec.ebs_optimized;
  return asked;
}

void create(Call& call, Asked asked) {
  const std::string name = asked.launch_configuration_name.value();
  const api::Opt<std::string> instance = asked.instance_id;
  if (instance) asked = with_instance(call, asked, *instance);
  if (!asked.image_id || !asked.instance_type)
    throw validation_error(
        "Valid requests must contain either the InstanceID parameter or both the ImageId and "
        "InstanceType parameters.");
  if (!call.cloud.market().on_demand_price(*asked.instance_type))
    throw validation_error("Invalid instance type '" + *asked.instance_type + "'");
  auto request = as_validation([&] { return read_launch(call, asked); });
  if (instance && !asked.user_data)
    request.spec.user_data = find_instance(call, *instance).spec.user_data;
  call.backend.groups.create_launch_configuration(name, std::move(request), asked);
}

aws::LaunchConfiguration shown(const model::LaunchConfiguration& configuration) {
  const auto& asked = std::any_cast<const Asked&>(configuration.asked);
  aws::LaunchConfiguration shown{
      .associate_public_ip_address = asked.associate_public_ip_address,
      .block_device_mappings = asked.block_device_mappings,
      .created_time = timestamp(configuration.request.made),
      .ebs_optimized = asked.ebs_optimized.value_or(false),
      .iam_instance_profile = asked.iam_instance_profile,
      .image_id = asked.image_id,
      .instance_monitoring =
          aws::InstanceMonitoring{.enabled = configuration.request.spec.detailed_monitoring},
      .instance_type = asked.instance_type,
      .kernel_id = "",
      .key_name = asked.key_name.value_or(""),
      .launch_configuration_arn = configuration.arn,
      .launch_configuration_name = configuration.name,
      .metadata_options = asked.metadata_options,
      .placement_tenancy = asked.placement_tenancy,
      .ramdisk_id = "",
      .security_groups = asked.security_groups,
      .spot_price = asked.spot_price,
      .user_data = asked.user_data.value_or("")};
  shown.block_device_mappings.give();
  shown.security_groups.give();
  shown.classic_link_vpc_security_groups.give();
  return shown;
}

}  // namespace

void copy_instance(Call& call, const std::string& name, const std::string& instance) {
  create(call, {.instance_id = instance, .launch_configuration_name = name});
}

Out<op::CreateLaunchConfiguration> create_launch_configuration(
    Call& call, const In<op::CreateLaunchConfiguration>& request) {
  create(call, request);
  return {};
}

Out<op::DeleteLaunchConfiguration> delete_launch_configuration(
    Call& call, const In<op::DeleteLaunchConfiguration>& request) {
  call.backend.groups.delete_launch_configuration(request.launch_configuration_name.value());
  return {};
}

Out<op::DescribeLaunchConfigurations> describe_launch_configurations(
    Call& call, const In<op::DescribeLaunchConfigurations>& request) {
  const auto& asked = request.launch_configuration_names;
  Out<op::DescribeLaunchConfigurations> response;
  response.launch_configurations.give();
  for (const auto& [name, configuration] : call.backend.groups.launch_configurations())
    if (asked.empty() || std::ranges::find(asked, name) != asked.end())
      response.launch_configurations.push_back(shown(configuration));
  response.next_token = cut_page(request, "launch-configurations", response.launch_configurations);
  return response;
}

}  // namespace fakes::autoscaling
