#include "sim/vpc/interfaces.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sim::vpc {
namespace {

// Public addresses are from 198.18.0.0/15, which is reserved for tests (RFC 2544), so they reach no
// host. 198.18.x.y belongs to 172.31.x.y in a default subnet. The lower half of 198.19.0.0/16 is
// for other subnets.
constexpr Ipv4 kOfDefaultVpc{198u << 24 | 18u << 16}, kOfOthers{198u << 24 | 19u << 16};
constexpr std::uint32_t kHalf = 1 << 15;

// EC2 keeps the first four addresses of a subnet and the last one (VPC user guide, "Subnet CIDR
// blocks").
constexpr std::uint32_t kFirst = 4, kKept = 5;

}  // namespace

std::string Interfaces::id_of(const std::string& instance) const {
  const auto existing = existing_.find(instance);
  return existing == existing_.end() ? "eni-" + instance.substr(2) : existing->second;
}

const Interface* Interfaces::of(const std::string& instance) const {
  const std::string id = id_of(instance);
  if (!table.has(id)) return nullptr;
  const Interface& found = table.find(id);
  return found.instance == instance ? &found : nullptr;
}

std::int64_t Interfaces::free_addresses(const Subnet& subnet) const {
  const auto used = addresses_.find(subnet.id);
  const auto taken = used == addresses_.end() ? 0 : static_cast<std::int64_t>(used->second.size());
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(subnet.cidr.size() - kKept) - taken);
}

bool Interfaces::in_use(const Subnet& subnet, Ipv4 address) const {
  const auto used = addresses_.find(subnet.id);
  return used != addresses_.end() && used->second.contains(address);
}

void Interfaces::check_free(const std::string& subnet_id, const std::string& private_ip) const {
  const Subnet& subnet = subnets_.table.find(subnet_id);
  const auto address = parse_ipv4(private_ip);
  const auto place = address ? std::int64_t{address->value} - subnet.cidr.base.value : -1;
  if (place < std::int64_t{kFirst} || place >= static_cast<std::int64_t>(subnet.cidr.size()) - 1)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Value ({}) for parameter privateIpAddress is invalid. Address does "
                               "not fall within the subnet's address range",
                               private_ip));
  if (in_use(subnet, *address))
    throw ApiError("InvalidIPAddress.InUse", fmt::format("Address {} is in use.", private_ip));
}

// The search begins at a place that depends on the launch's number, so the address of an ended
// instance is not reused soon.
Ipv4 Interfaces::choose(const Subnet& subnet, const Wish& wish) const {
  if (!wish.private_ip.empty()) {
    check_free(subnet.id, wish.private_ip);
    return *parse_ipv4(wish.private_ip);
  }
  const auto usable = static_cast<std::uint32_t>(subnet.cidr.size() - kKept);
  const auto at = [&](std::size_t place) {
    return Ipv4{subnet.cidr.base.value + kFirst + static_cast<std::uint32_t>(place % usable)};
  };
  constexpr std::size_t kHosts = 250,
                        kBlocks = 16;  // 250 addresses in each /24 of a default subnet
  const std::size_t first = subnet.default_for_zone
                                ? wish.number / kHosts % kBlocks * 256 + wish.number % kHosts
                                : wish.number;
  if (free_addresses(subnet) > 0)
    for (std::size_t place = first; place < first + usable; ++place)
      if (!in_use(subnet, at(place))) return at(place);
  // Fleets larger than a subnet are for load tests only. There, two instances share an address.
  if (subnet.default_for_zone) return at(first);
  throw ApiError("InsufficientFreeAddressesInSubnet",
                 fmt::format("There are not enough free addresses in subnet '{}' to satisfy the "
                             "requested number of instances.",
                             subnet.id));
}

std::optional<Ipv4> Interfaces::public_address(const Subnet& subnet, Ipv4 private_ip,
                                               std::optional<bool> asked) {
  if (!asked.value_or(subnet.map_public_ip)) return {};
  if (subnet.default_for_zone) return Ipv4{kOfDefaultVpc.value | (private_ip.value & 0xffff)};
  return Ipv4{kOfOthers.value + kFirst + public_addresses_++ % (kHalf - kKept)};
}

const Interface& Interfaces::attach(const Wish& wish) {
  if (!wish.interface.empty()) return attach_existing(wish);
  const Subnet& subnet = subnets_.table.find(wish.subnet);
  // Named addresses are taken before a free one is chosen, so that no named address is chosen.
  std::vector<Ipv4> secondary = take(subnet, wish.secondary_ips, 0);
  std::vector<Ipv4> taken = secondary;
  auto& used = addresses_[subnet.id];
  try {
    taken.push_back(choose(subnet, wish));
    used.insert(taken.back());
    std::ranges::copy(take(subnet, {}, wish.more_addresses), std::back_inserter(secondary));
  } catch (const ApiError&) {
    for (const Ipv4 address : taken) used.erase(used.find(address));
    throw;
  }
  const Ipv4 address = taken.back();
  return table.add({.id = id_of(wish.instance),
                    .instance = wish.instance,
                    .subnet = subnet.id,
                    .vpc = subnet.vpc,
                    .private_ip = address,
                    .groups = wish.groups,
                    .public_ip = public_address(subnet, address, wish.public_ip),
                    .attached_at = wish.now,
                    .attachment = "eni-attach-" + wish.instance.substr(2),
                    .secondary_ips = std::move(secondary)});
}

std::vector<std::string> Interfaces::release(const std::string& instance) {
  std::vector<std::string> removed;
  for (const Interface* const attached : all_of(instance)) {
    Interface& interface = table.find(attached->id);
    const bool goes = interface.delete_on_termination;
    end_attachment(interface);
    if (!goes) continue;
    removed.push_back(interface.id);
    erase(interface);
  }
  freed_();
  return removed;
}

void Interfaces::take_public_address(const std::string& instance) {
  if (of(instance)) table.find(id_of(instance)).public_ip.reset();
}

void Interfaces::give_public_address(const std::string& instance, std::optional<bool> asked) {
  if (!of(instance) || existing_.contains(instance)) return;
  Interface& interface = table.find(id_of(instance));
  interface.public_ip =
      public_address(subnets_.table.find(interface.subnet), interface.private_ip, asked);
}

void Interfaces::set_groups(const std::string& instance, const std::vector<std::string>& groups) {
  if (of(instance)) table.find(id_of(instance)).groups = groups;
}

bool Interfaces::uses_subnet(const std::string& subnet) const {
  return table.first([&](const Interface& interface) { return interface.subnet == subnet; });
}

bool Interfaces::uses_group(const std::string& group) const {
  return table.first([&](const Interface& interface) {
    return std::ranges::find(interface.groups, group) != interface.groups.end();
  });
}

}  // namespace sim::vpc
