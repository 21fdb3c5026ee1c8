#include "sim/cloud/parts/launch_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/cloud/error.h"
#include "sim/cloud/parts/tagging.h"
#include "sim/cloud/volume_types.h"
#include "sim/market/attributes.h"
#include "sim/market/hibernation.h"

namespace sim::cloud {
namespace {

constexpr std::size_t kUserDataLimit = 16 * 1024;

[[noreturn]] void throw_mapping(const std::string& why) {
  throw ApiError("InvalidBlockDeviceMapping", why);
}

}  // namespace

void LaunchChecks::complete(LaunchSpec& spec) const {
  if (!offers(spec.instance_type))
    throw ApiError("InvalidParameterValue",
                   "Invalid value '" + spec.instance_type + "' for InstanceType.");
  if (spec.managed_by.empty()) images_.complete(spec);
  check_image(spec);
  check_user_data(spec.user_data);
  network_.placement_groups.check(spec.placement_group, spec.partition);
  check_cluster(spec.placement_group, spec.instance_type);
  complete_interface(spec);
  complete_place(spec);
  complete_network(spec);
  complete_block_devices(spec);
  if (spec.hibernation) check_hibernation(spec);
  check_tags(spec.tags, {});
  check_metadata_tags(spec, spec.tags);
}

bool LaunchChecks::offers(const std::string& instance_type) const {
  return market_.on_demand_price(instance_type).has_value();
}

void LaunchChecks::check_cluster(const std::string& group, const std::string& instance_type) const {
  const auto* const type = market::find_instance_type(market_.types(), instance_type);
  if (!network_.placement_groups.is_cluster(group) || !type || market::may_be_in_cluster(*type))
    return;
  throw ApiError("InvalidParameterCombination",
                 fmt::format("Cluster placement groups are not supported by the '{}' instance "
                             "type. Specify a supported instance type or change the placement "
                             "group strategy, and try again.",
                             instance_type));
}

void LaunchChecks::check_user_data(const std::string& user_data) {
  if (user_data.size() > kUserDataLimit)
    throw ApiError("InvalidParameterValue", "User data is limited to 16384 bytes");
}

void LaunchChecks::complete_spot(LaunchSpec& spec) const {
  if (spec.disable_api_termination)
    throw ApiError("InvalidParameterCombination",
                   "You can't enable termination protection for Spot Instances.");
  // EC2 User Guide, "Rules and limitations for placement groups".
  if (!spec.placement_group.empty() && spec.stops_when_interrupted)
    throw ApiError("InvalidParameterCombination",
                   "You can't launch a Spot Instance that is configured to stop or hibernate on "
                   "interruption in a placement group.");
  check_tags(spec.request_tags, {});
  complete(spec);
}

void LaunchChecks::check_image(const LaunchSpec& spec) const {
  if (context_.config.any_image || !spec.managed_by.empty() || !spec.base_image.empty()) return;
  if (!spec.image_id.starts_with("ami-"))
    throw ApiError("InvalidAMIID.Malformed",
                   "Invalid id: \"" + spec.image_id + "\" (expecting \"ami-...\")");
  if (!context_.config.images.contains(spec.image_id))
    throw ApiError("InvalidAMIID.NotFound",
                   "The image id '[" + spec.image_id + "]' does not exist");
}

// An existing interface determines the subnet, the security groups and the addresses.
void LaunchChecks::complete_interface(LaunchSpec& spec) const {
  if (spec.network_interface.empty()) return;
  network_.interfaces.check_available(spec.network_interface);
  const vpc::Interface& interface = network_.interfaces.table.find(spec.network_interface);
  spec.subnet_id = interface.subnet;
  spec.security_group_ids = interface.groups;
}

void LaunchChecks::complete_place(LaunchSpec& spec) const {
  const auto& zones = context_.config.availability_zones;
  if (!spec.availability_zone.empty() &&
      std::ranges::find(zones, spec.availability_zone) == zones.end())
    throw ApiError("InvalidParameterValue",
                   "Invalid availability zone: [" + spec.availability_zone + "]");
  if (!spec.managed_by.empty()) return;
  const auto& subnets = network_.subnets;
  if (spec.subnet_id.empty()) {
    if (!network_.vpcs.default_vpc())
      throw ApiError("VPCIdNotSpecified", "No default VPC for this user.");
    if (!spec.private_ip.empty() && spec.availability_zone.empty())
      spec.availability_zone = zone_of_address(spec.private_ip);
    if (!network_.has("", spec.availability_zone, {}))
      throw ApiError("MissingInput",
                     "No default subnet for availability zone: '" + spec.availability_zone + "'.");
    return;
  }
  const std::string& zone = subnets.table.find(spec.subnet_id).zone;
  if (!spec.availability_zone.empty() && spec.availability_zone != zone)
    throw ApiError("InvalidParameterValue", "The subnet '" + spec.subnet_id + "' is in " + zone +
                                                ", not in " + spec.availability_zone);
  spec.availability_zone = zone;
}

// The zone of the default subnet that contains an address. Empty if none does.
std::string LaunchChecks::zone_of_address(const std::string& private_ip) const {
  const auto address = vpc::parse_ipv4(private_ip);
  const auto* const subnet = network_.subnets.table.first([&](const vpc::Subnet& one) {
    return one.default_for_zone && address && one.cidr.contains(*address);
  });
  return subnet ? subnet->zone : "";
}

// Checks that all network resources of the launch exist and belong to the subnet's VPC.
void LaunchChecks::complete_network(LaunchSpec& spec) const {
  if (!spec.managed_by.empty()) return;
  if (!spec.key_name.empty()) network_.key_pairs.require(spec.key_name);
  const std::string vpc = spec.subnet_id.empty() ? network_.vpcs.default_vpc()->id
                                                 : network_.subnets.table.find(spec.subnet_id).vpc;
  if (spec.security_group_ids.empty())
    spec.security_group_ids = {network_.groups.named(vpc::kDefaultGroup, vpc)->id};
  for (const std::string& group : spec.security_group_ids) network_.groups.require(group, vpc);
  check_addresses(spec);
}

void LaunchChecks::check_addresses(const LaunchSpec& spec) const {
  std::vector<std::string> named = spec.secondary_ips;
  if (!spec.private_ip.empty()) named.insert(named.begin(), spec.private_ip);
  if (named.empty()) return;
  const auto* const subnet = spec.subnet_id.empty()
                                 ? network_.subnets.default_of(spec.availability_zone)
                                 : &network_.subnets.table.find(spec.subnet_id);
  if (!subnet)
    throw ApiError("InvalidParameterValue",
                   "The address " + named.front() + " is in no default subnet.");
  for (const std::string& address : named) network_.interfaces.check_free(subnet->id, address);
  if (std::set(named.begin(), named.end()).size() < named.size())
    throw ApiError("InvalidParameterValue", "A private address is named twice.");
}

void LaunchChecks::complete_block_devices(LaunchSpec& spec) const {
  std::set<std::string> used;
  for (BlockDevice& device : spec.block_devices) {
    const auto name = guest_device(device.device);
    if (!name) throw_mapping("Invalid device name " + device.device);
    const bool root = is_root_device(device.device);
    if (!used.insert(root ? "root" : *name).second)
      throw_mapping("The device '" + device.device +
                    "' is used in more than one block-device "
                    "mapping");
    if (root && !device.volume.from.empty() && !device.volume.root)  // not from an own image
      throw ApiError("UnsupportedOperation",
                     "A snapshot for the root device is not supported by this simulated AWS.");
    device.volume.root = root;
    if (root && device.volume.size_gib == 0 && device.volume.from.empty())
      device.volume.size_gib = kRootGib;
    device.volume = volumes_.completed(device.volume);
  }
  check_tags(spec.volume_tags, {});
}

// EC2 user guide, "Prerequisites for EC2 instance hibernation": the root volume is encrypted, on
// SSD, and large enough for the memory.
void LaunchChecks::check_hibernation(const LaunchSpec& spec) const {
  const auto refuse = [](const std::string& why) {
    throw ApiError("UnsupportedHibernationConfiguration", why);
  };
  const market::InstanceType* const type =
      market::find_instance_type(market_.types(), spec.instance_type);
  if (type == nullptr) refuse("The memory of '" + spec.instance_type + "' is unknown.");
  if (const std::string obstacle = market::hibernation_obstacle(*type); !obstacle.empty())
    refuse(obstacle);
  const auto root = std::ranges::find_if(
      spec.block_devices, [](const BlockDevice& device) { return device.volume.root; });
  if (root == spec.block_devices.end() || !root->volume.encrypted)
    refuse("For hibernation, the root device volume must be encrypted.");
  constexpr const char* kTypes[] = {"gp2", "gp3", "io1", "io2"};
  if (std::ranges::find(kTypes, root->volume.type) == std::end(kTypes))
    refuse("For hibernation, the root device volume must be of type gp2, gp3, io1 or io2, not " +
           root->volume.type + ".");
  constexpr int kMibOfGib = 1024;
  if (std::int64_t{root->volume.size_gib} * kMibOfGib < type->memory_mib)
    refuse(
        fmt::format("For hibernation, the root device volume must be large enough for the "
                    "memory of {} MiB: found {} GiB.",
                    type->memory_mib, root->volume.size_gib));
}

}  // namespace sim::cloud
