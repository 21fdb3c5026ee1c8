#include "fakes/ec2/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "base/text/base64.h"
#include "base/text/comma_list.h"
#include "fakes/ec2/block_devices.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/image_catalogue.h"
#include "fakes/ec2/instances.h"
#include "fakes/ec2/network/private_addresses.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/requests.h"
#include "sim/market/attributes.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::LaunchSpec;
using Texts = std::vector<std::string>;

Texts groups_by_name(const Call& call, const Texts& names) {
  Texts ids;
  for (const auto& name : names) ids.push_back(call.cloud.network().groups.id_of(name));
  return ids;
}

Texts read_groups(const Call& call, const api::List<aws::GroupIdentifier>& groups) {
  Texts ids;
  for (const auto& group : groups)
    ids.push_back(group.group_id ? *group.group_id
                                 : call.cloud.network().groups.id_of(
                                       group.group_name.value_or(sim::vpc::kDefaultGroup)));
  return ids;
}

// EC2 names the first parameter that the network interfaces should contain.
void refuse_with_interfaces(const LaunchSpec& spec, const std::string& subnets) {
  const auto refuse = [](bool given, std::string_view name) {
    if (given)
      throw ApiError("InvalidParameterCombination",
                     fmt::format("Network interfaces and an instance-level {} may not be specified "
                                 "on the same request",
                                 name));
  };
  refuse(!subnets.empty(), "subnet ID");
  refuse(!spec.security_group_ids.empty(), "security groups");
  refuse(!spec.private_ip.empty(), "private IP address");
}

// An existing interface has its own subnet, groups and addresses.
template <class Interface>
void refuse_with_interface_id(const Interface& in, const PrivateAddresses& addresses) {
  const auto refuse = [](bool given, std::string_view name) {
    if (given)
      throw ApiError(
          "InvalidParameterCombination",
          fmt::format("The {} parameter cannot be specified for a network interface with an ID.",
                      name));
  };
  refuse(in.subnet_id.has_value(), "subnetId");
  refuse(!in.groups.empty(), "groups");
  refuse(!addresses.primary.empty() || !addresses.secondary.empty(), "privateIpAddresses");
  refuse(addresses.more > 0, "secondaryPrivateIpAddressCount");
  refuse(in.associate_public_ip_address.has_value(), "associatePublicIPAddress");
}

template <class Interface>
void read_interface(const Interface& in, LaunchSpec& spec, std::string& subnets) {
  PrivateAddresses addresses = read_private_addresses(in);
  spec.network_interface = text(in.network_interface_id);
  if (!spec.network_interface.empty()) return refuse_with_interface_id(in, addresses);
  subnets = text(in.subnet_id);
  spec.security_group_ids = in.groups;
  spec.private_ip = std::move(addresses.primary);
  spec.secondary_ips = std::move(addresses.secondary);
  spec.more_addresses = addresses.more;
  spec.public_ip = in.associate_public_ip_address;
}

// Reads security groups, subnets and addresses into the specification. A first network interface
// may name them instead.
template <class Interfaces>
void read_interfaces(const Interfaces& interfaces, LaunchSpec& spec, std::string& subnets) {
  if (!interfaces.empty()) {
    refuse_with_interfaces(spec, subnets);
    if (interfaces.size() > 1) throw unsupported("NetworkInterface.2");
    if (interfaces[0].device_index.value_or(0) != 0)
      throw unsupported("NetworkInterface.1.DeviceIndex");
    read_interface(interfaces[0], spec, subnets);
  }
}

template <class Machine>
LaunchSpec read_machine(const Machine& in) {
  LaunchSpec spec;
  spec.image_id = text(in.image_id);
  spec.instance_type = text(in.instance_type);
  spec.key_name = text(in.key_name);
  spec.user_data = read_user_data(in.user_data);
  if (in.iam_instance_profile) spec.iam_instance_profile = name_or_arn_of(*in.iam_instance_profile);
  spec.block_devices = read_block_devices(in.block_device_mappings);
  spec.ebs_optimized = in.ebs_optimized.value_or(false);
  spec.detailed_monitoring = in.monitoring && in.monitoring->enabled.value_or(false);
  return spec;
}

// The name of the placement group with this ID.
std::string group_named(const Call& call, const std::string& id, const std::string& name) {
  if (!name.empty() && !id.empty())
    throw ApiError("InvalidParameterCombination",
                   "Placement.GroupId and Placement.GroupName cannot be used together.");
  const auto& groups = call.cloud.network().placement_groups;
  if (id.empty()) return name;
  return groups.table.has(id) ? groups.table.find(id).name : groups.find(id).name;
}

// Reads the placement group into the specification. Returns the zones, such as
// "us-west-2a, us-west-2b". Empty if EC2 chooses the zone.
template <class Placement>
std::string read_placement(const Call& call, const api::Opt<Placement>& placement,
                           LaunchSpec& spec) {
  if (!placement) return "";
  choice(placement->tenancy, "Placement.Tenancy", {"default"});
  spec.placement_group = text(placement->group_name);
  if constexpr (requires { placement->partition_number; }) {
    spec.placement_group =
        group_named(call, text(placement->group_id), text(placement->group_name));
    check_range(placement->partition_number, "Placement.PartitionNumber", 1, 7);
    spec.partition = static_cast<int>(placement->partition_number.value_or(0));
  }
  return text(placement->availability_zone);
}

template <class Options>
void read_metadata(const api::Opt<Options>& options, LaunchSpec& spec) {
  if (!options) return;
  spec.imds_disabled = choice(options->http_endpoint, "MetadataOptions.HttpEndpoint",
                              {"enabled", "disabled"}) == "disabled";
  choice(options->http_protocol_ipv6, "MetadataOptions.HttpProtocolIpv6", {"disabled"});
  check_range(options->http_put_response_hop_limit, "MetadataOptions.HttpPutResponseHopLimit", 1,
              64);
  spec.imds_hop_limit = static_cast<int>(options->http_put_response_hop_limit.value_or(1));
  spec.imds_tags = choice(options->instance_metadata_tags, "MetadataOptions.InstanceMetadataTags",
                          {"disabled", "enabled"}) == "enabled";
  spec.imds_v2_required = choice(options->http_tokens, "MetadataOptions.HttpTokens",
                                 {"optional", "required"}) == "required";
}

// The instance's own type must have CPU credits for an option of them. The words are EC2's, for
// both options and all types (github.com/hashicorp/terraform-provider-aws/issues/5067).
void check_type(const Call& call, const LaunchSpec& spec) {
  if (spec.network_interface.empty())
    check_address_limit(spec.instance_type, 1 + spec.secondary_ips.size() +
                                                static_cast<std::size_t>(spec.more_addresses));
  if (!spec.cpu_credits.empty() && !has_credits(call, spec.instance_type))
    throw ApiError(
        "InstanceCreditSpecification.NotSupported",
        fmt::format("The {} instance type does not support T2 Unlimited.", spec.instance_type));
}

std::string read_credits(const aws::CreditSpecificationRequest& in) {
  return choice(in.cpu_credits, "CreditSpecification.CpuCredits", {"standard", "unlimited"});
}

// Makes one specification for each subnet or, without subnets, for each zone.
std::vector<LaunchSpec> for_each_place(const Call& call, LaunchSpec spec,
                                       const std::string& subnets, const Texts& zones) {
  std::vector<LaunchSpec> specs;
  for (const auto& subnet : base::split_comma_list(subnets)) {
    spec.subnet_id = subnet;
    spec.availability_zone = call.cloud.network().subnets.table.find(subnet).zone;
    if (!zones.empty() && std::ranges::find(zones, spec.availability_zone) == zones.end())
      throw ApiError("InvalidParameterValue",
                     "The subnet '" + subnet + "' is not in the Availability Zone asked for");
    specs.push_back(spec);
  }
  if (!specs.empty()) return specs;
  for (const auto& zone : zones) {
    spec.availability_zone = zone;
    specs.push_back(spec);
  }
  if (specs.empty()) specs.push_back(spec);
  return specs;
}

template <class Launch>
std::vector<LaunchSpec> read_launch_in(const Call& call, const Launch& in, const Texts& groups) {
  required(in.image_id, "ImageId");
  LaunchSpec spec = read_machine(in);
  // AWS resolves parameters for RunInstances, not for spot requests and Spot Fleets.
  if constexpr (std::is_same_v<Launch, aws::RunInstancesRequest>) {
    spec.image_id = resolved_image_id(call.backend, spec.image_id);
    spec.private_ip = text(in.private_ip_address);
    if (in.credit_specification) spec.cpu_credits = read_credits(*in.credit_specification);
  }
  check_no_parameter(spec.image_id);
  spec.security_group_ids = groups;
  std::string subnets = text(in.subnet_id);
  const auto zones = base::split_comma_list(read_placement(call, in.placement, spec));
  read_interfaces(in.network_interfaces, spec, subnets);
  check_groups(spec);
  check_instance_profile(call, spec.iam_instance_profile);
  fill_in_defaults(spec);
  // A fleet may override the type.
  if constexpr (!std::is_same_v<Launch, aws::SpotFleetLaunchSpecification>) check_type(call, spec);
  return for_each_place(call, std::move(spec), subnets, zones);
}

template <class Launch>
Texts groups_by_id_and_name(const Call& call, const Launch& in) {
  Texts groups = in.security_group_ids;
  for (auto& id : groups_by_name(call, in.security_groups)) groups.push_back(std::move(id));
  return groups;
}

}  // namespace

bool has_credits(const Call& call, const std::string& instance_type) {
  const auto* const type =
      sim::market::find_instance_type(call.cloud.market().types(), instance_type);
  return type != nullptr && sim::market::is_burstable(*type);
}

void check_groups(const LaunchSpec& spec) { check_security_group_ids(spec.security_group_ids); }

void check_instance_profile(const Call& call, const std::string& named) {
  if (named.empty()) return;
  const auto* const profile = call.backend.iam->instance_profile_for_launch(named);
  const bool by_arn = named.starts_with("arn:");
  if (profile == nullptr)
    throw ApiError("InvalidParameterValue",
                   "Value (" + named + ") for parameter iamInstanceProfile." +
                       (by_arn ? "arn is invalid. Invalid IAM Instance Profile ARN"
                               : "name is invalid. Invalid IAM Instance Profile name"));
  if (profile->role.empty())
    throw ApiError("InvalidParameterValue",
                   "IAM Instance Profile \"" + profile->arn + "\" has no associated IAM Roles");
}

void fill_in_defaults(LaunchSpec& spec) {
  if (spec.instance_type.empty()) spec.instance_type = "m1.small";
}

void read_metadata_options(const api::Opt<aws::InstanceMetadataOptionsRequest>& options,
                           LaunchSpec& spec) {
  read_metadata(options, spec);
}

std::vector<LaunchSpec> read_launch(const Call& call, const aws::RunInstancesRequest& in) {
  return read_launch_in(call, in, groups_by_id_and_name(call, in));
}

std::vector<LaunchSpec> read_launch(const Call& call,
                                    const aws::RequestSpotLaunchSpecification& in) {
  return read_launch_in(call, in, groups_by_id_and_name(call, in));
}

std::vector<LaunchSpec> read_launch(const Call& call, const aws::SpotFleetLaunchSpecification& in) {
  auto specs = read_launch_in(call, in, read_groups(call, in.security_groups));
  // EC2 API reference, InstanceNetworkInterfaceSpecification.
  if (!specs[0].network_interface.empty())
    throw ApiError("InvalidParameterCombination",
                   "The launch specification of a Spot Fleet cannot have a network interface ID.");
  return specs;
}

LaunchSpec read_launch_template(const Call& call, const aws::RequestLaunchTemplateData& in) {
  LaunchSpec spec = read_machine(in);
  spec.availability_zone = read_placement(call, in.placement, spec);
  spec.security_group_ids = groups_by_id_and_name(call, in);
  read_interfaces(in.network_interfaces, spec, spec.subnet_id);
  read_metadata(in.metadata_options, spec);
  if (in.credit_specification) spec.cpu_credits = read_credits(*in.credit_specification);
  spec.disable_api_termination = in.disable_api_termination.value_or(false);
  spec.hibernation = in.hibernation_options && in.hibernation_options->configured.value_or(false);
  spec.tags = read_tag_specifications(in.tag_specifications, "instance",
                                      {"volume", "network-interface", "spot-instances-request"});
  spec.volume_tags = read_tag_specifications(
      in.tag_specifications, "volume", {"instance", "network-interface", "spot-instances-request"});
  choice(in.instance_initiated_shutdown_behavior, "InstanceInitiatedShutdownBehavior",
         {"stop", "terminate"});
  return spec;
}

template <class Shown>
void show_launch(Shown& out, const Call& call, const LaunchSpec& spec) {
  out.security_groups = shown_groups(call.backend, spec.security_group_ids);
  if (const auto& profile = spec.iam_instance_profile; !profile.empty()) {
    out.iam_instance_profile.emplace();
    (profile.starts_with("arn:") ? out.iam_instance_profile->arn : out.iam_instance_profile->name) =
        profile;
  }
  out.image_id = spec.image_id;
  out.instance_type = spec.instance_type;
  if (!spec.key_name.empty()) out.key_name = spec.key_name;
  out.monitoring.emplace().enabled = spec.detailed_monitoring;
  out.ebs_optimized = spec.ebs_optimized;
  if (!spec.availability_zone.empty() || !spec.placement_group.empty()) {
    auto& placement = out.placement.emplace();
    if (!spec.availability_zone.empty()) placement.availability_zone = spec.availability_zone;
    if (!spec.placement_group.empty()) placement.group_name = spec.placement_group;
    placement.tenancy = "default";
  }
  if (!spec.subnet_id.empty())
    out.subnet_id = spec.subnet_id;
  else if (const auto* const subnet =
               call.cloud.network().subnets.default_of(spec.availability_zone))
    out.subnet_id = subnet->id;
  if (!spec.user_data.empty()) out.user_data = base::base64_encode(spec.user_data);
}

template void show_launch(aws::LaunchSpecification&, const Call&, const LaunchSpec&);
template void show_launch(aws::SpotFleetLaunchSpecification&, const Call&, const LaunchSpec&);

}  // namespace fakes::ec2
