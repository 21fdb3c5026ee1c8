// Private addresses of requests; AssignPrivateIpAddresses and UnassignPrivateIpAddresses.
#include "fakes/ec2/network/private_addresses.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/network/interface_limits.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::vpc::Interface;
using sim::vpc::Ipv4;

constexpr std::int64_t kMostAddresses = 50;

// Takes secondary addresses from the other interfaces of the subnet that have them. Throws before
// it takes any if the interface cannot get one of them.
void take_from_others(const Call& call, const Interface& to,
                      const std::vector<std::string>& named) {
  auto& interfaces = call.cloud.network().interfaces;
  std::map<std::string, std::string> owners;  // interfaces by address
  std::set<std::string> distinct;
  for (const std::string& address : named) {
    if (!distinct.insert(address).second)
      throw ApiError("InvalidParameterValue", "A private address is named twice: " + address);
    const Interface* const other = interfaces.table.first([&](const Interface& one) {
      const auto is_it = [&](Ipv4 secondary) { return text(secondary) == address; };
      return one.id != to.id && one.subnet == to.subnet &&
             std::ranges::any_of(one.secondary_ips, is_it);
    });
    if (other)
      owners[address] = other->id;
    else
      interfaces.check_free(to.subnet, address);
  }
  for (const auto& [address, owner] : owners) interfaces.remove_addresses(owner, {address});
}

}  // namespace

void check_address_limit(const std::string& instance_type, std::size_t addresses) {
  const auto most = static_cast<std::size_t>(interface_limits(instance_type).ipv4_per_interface);
  if (addresses > most)
    throw ApiError("PrivateIpAddressLimitExceeded",
                   fmt::format("Number of private addresses will exceed limit: found {}, expected "
                               "at most {} for {}",
                               addresses, most, instance_type));
}

PrivateAddresses read_private_addresses(const api::Opt<std::string>& primary,
                                        const api::List<aws::PrivateIpAddressSpecification>& listed,
                                        const api::Opt<std::int64_t>& secondary_count) {
  PrivateAddresses out{.primary = text(primary), .secondary = {}};
  for (const auto& address : listed) {
    const std::string& named =
        required(address.private_ip_address, "PrivateIpAddresses.PrivateIpAddress");
    if (!address.primary.value_or(false))
      out.secondary.push_back(named);
    else if (out.primary.empty())
      out.primary = named;
    else
      throw ApiError("InvalidParameterCombination",
                     "Only one primary private IP address can be specified.");
  }
  check_range(secondary_count, "SecondaryPrivateIpAddressCount", 0, kMostAddresses);
  out.more = static_cast<int>(secondary_count.value_or(0));
  if (out.more > 0 && !out.secondary.empty())
    throw ApiError("InvalidParameterCombination",
                   "SecondaryPrivateIpAddressCount cannot be used with secondary addresses in "
                   "PrivateIpAddresses.");
  return out;
}

aws::AssignPrivateIpAddressesResult assign_private_ip_addresses(
    Call& call, const aws::AssignPrivateIpAddressesRequest& request) {
  auto& interfaces = call.cloud.network().interfaces;
  const Interface& interface =
      interfaces.table.find(required(request.network_interface_id, "networkInterfaceId"));
  const auto& count = request.secondary_private_ip_address_count;
  check_range(count, "secondaryPrivateIpAddressCount", 1, kMostAddresses);
  const auto& named = request.private_ip_addresses;
  if (count.has_value() != named.empty())
    throw ApiError("InvalidParameterCombination",
                   "Expected either privateIpAddress or secondaryPrivateIpAddressCount.");
  const int more = static_cast<int>(count.value_or(0));
  if (!interface.instance.empty())
    check_address_limit(
        call.cloud.instance({interface.instance}).spec.instance_type,
        1 + interface.secondary_ips.size() + named.size() + static_cast<std::size_t>(more));
  if (request.allow_reassignment.value_or(false)) take_from_others(call, interface, named);
  aws::AssignPrivateIpAddressesResult response{.network_interface_id = interface.id};
  for (const Ipv4 address : interfaces.add_addresses(interface.id, named, more))
    response.assigned_private_ip_addresses.push_back({.private_ip_address = text(address)});
  return response;
}

op::UnassignPrivateIpAddresses::Response unassign_private_ip_addresses(
    Call& call, const aws::UnassignPrivateIpAddressesRequest& request) {
  check_given(request.private_ip_addresses, "privateIpAddress");
  call.cloud.network().interfaces.remove_addresses(
      required(request.network_interface_id, "networkInterfaceId"), request.private_ip_addresses);
  return {};
}

}  // namespace fakes::ec2
