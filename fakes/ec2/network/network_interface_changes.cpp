// CreateNetworkInterface, AttachNetworkInterface, DetachNetworkInterface, DeleteNetworkInterface
// and ModifyNetworkInterfaceAttribute. Guests have no device for further interfaces.
#include <fmt/format.h>

#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/network/interface_limits.h"
#include "fakes/ec2/network/network_interfaces.h"
#include "fakes/ec2/network/private_addresses.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::InstanceState;
using sim::vpc::Interface;
using sim::vpc::Interfaces;

const Interface& find_interface(const Call& call, const api::Opt<std::string>& id) {
  return call.cloud.network().interfaces.table.find(required(id, "NetworkInterfaceId"));
}

// The groups of a request, or the VPC's default group.
std::vector<std::string> groups_of(const Call& call, const std::vector<std::string>& asked,
                                   const std::string& vpc) {
  auto& groups = call.cloud.network().groups;
  check_security_group_ids(asked);
  for (const std::string& group : asked) groups.require(group, vpc);
  return asked.empty() ? std::vector{groups.named(sim::vpc::kDefaultGroup, vpc)->id} : asked;
}

// Throws if the instance's type does not permit another interface, or so many addresses of one (EC2
// User Guide, "IP addresses per network interface per instance type").
void check_limits(const Call& call, const sim::cloud::Instance& instance,
                  const Interface& another) {
  const std::string& type = instance.spec.instance_type;
  const InterfaceLimits limits = interface_limits(type);
  const auto attached = call.cloud.network().interfaces.all_of(instance.id.value).size();
  if (attached >= static_cast<std::size_t>(limits.interfaces))
    throw ApiError("AttachmentLimitExceeded",
                   fmt::format("Interface count {} exceeds the limit for {}", attached + 1, type));
  if (another.secondary_ips.size() + 1 > static_cast<std::size_t>(limits.ipv4_per_interface))
    throw ApiError("PrivateIpAddressLimitExceeded",
                   fmt::format("Number of private addresses will exceed limit: found {}, expected "
                               "at most {} for {}",
                               another.secondary_ips.size() + 1, limits.ipv4_per_interface, type));
}

}  // namespace

aws::CreateNetworkInterfaceResult create_network_interface(
    Call& call, const aws::CreateNetworkInterfaceRequest& request) {
  const auto tags = read_tag_specifications(request.tag_specifications, "network-interface");
  choice(request.interface_type, "InterfaceType", {"interface"});
  auto& network = call.cloud.network();
  const auto& subnet = network.subnets.table.find(required(request.subnet_id, "SubnetId"));
  const PrivateAddresses addresses = read_private_addresses(request);
  const Interface& made =
      network.interfaces.create({.subnet = subnet.id,
                                 .groups = groups_of(call, request.groups, subnet.vpc),
                                 .private_ip = addresses.primary,
                                 .secondary_ips = addresses.secondary,
                                 .more_addresses = addresses.more,
                                 .text = text(request.description)});
  tag_new(call, made.id, tags);
  return {.client_token = request.client_token, .network_interface = shown(call, made)};
}

aws::AttachNetworkInterfaceResult attach_network_interface(
    Call& call, const aws::AttachNetworkInterfaceRequest& request) {
  const Interface& interface = find_interface(call, request.network_interface_id);
  const auto& instance = call.cloud.shown(instance_id(required(request.instance_id, "InstanceId")));
  if (!request.device_index) throw missing("DeviceIndex");
  check_range(request.device_index, "DeviceIndex", 0, 63);
  if (instance.state != InstanceState::kRunning && instance.state != InstanceState::kStopped)
    throw ApiError("IncorrectState",
                   fmt::format("Instance '{}' is not 'running' or 'stopped'.", instance.id.value));
  auto& network = call.cloud.network();
  if (network.subnets.table.find(interface.subnet).zone != instance.spec.availability_zone)
    throw ApiError("InvalidParameterCombination",
                   "You may not attach a network interface to an instance if they are not in the "
                   "same availability zone");
  if (interface.attachment.empty()) check_limits(call, instance, interface);
  return {.attachment_id = network.interfaces.attach(
              interface.id, instance.id.value, static_cast<int>(*request.device_index), call.now)};
}

op::DetachNetworkInterface::Response detach_network_interface(
    Call& call, const aws::DetachNetworkInterfaceRequest& request) {
  call.cloud.network().interfaces.detach(required(request.attachment_id, "AttachmentId"));
  return {};
}

op::DeleteNetworkInterface::Response delete_network_interface(
    Call& call, const aws::DeleteNetworkInterfaceRequest& request) {
  call.cloud.network().delete_interface(find_interface(call, request.network_interface_id).id);
  return {};
}

// "You can specify only one attribute at a time" (EC2 API reference).
op::ModifyNetworkInterfaceAttribute::Response modify_network_interface_attribute(
    Call& call, const aws::ModifyNetworkInterfaceAttributeRequest& request) {
  auto& interfaces = call.cloud.network().interfaces;
  Interface& interface =
      interfaces.table.find(find_interface(call, request.network_interface_id).id);
  const int given = (request.description ? 1 : 0) + (request.source_dest_check ? 1 : 0) +
                    (request.attachment ? 1 : 0) + (request.groups.empty() ? 0 : 1);
  if (given != 1)
    throw ApiError("InvalidParameterCombination",
                   fmt::format("Exactly one attribute of a network interface can be modified: "
                               "found {}.",
                               given));
  if (request.description) interface.description = request.description->value.value_or("");
  if (request.source_dest_check)
    interface.source_dest_check = request.source_dest_check->value.value_or(true);
  if (request.attachment)
    interfaces.set_delete_on_termination(interface.id, text(request.attachment->attachment_id),
                                         request.attachment->delete_on_termination.value_or(false));
  if (request.groups.empty()) return {};
  const auto groups = groups_of(call, request.groups, interface.vpc);
  if (!interface.instance.empty() && interface.device_index == 0)
    call.cloud.set_security_groups({interface.instance}, groups);
  else
    interface.groups = groups;
  return {};
}

}  // namespace fakes::ec2
