#include "sim/vpc/elastic_addresses.h"

namespace sim::vpc {
namespace {

// The upper half of 198.19.0.0/16; interfaces.cpp describes the rest of 198.18.0.0/15.
constexpr Ipv4 kFirstElastic{198u << 24 | 19u << 16 | 128u << 8};
constexpr std::uint32_t kElasticCount = (1 << 15) - 2;

ApiError no_address(const std::string& public_ip) {
  return {"InvalidAddress.NotFound", fmt::format("Address '{}' not found.", public_ip)};
}

}  // namespace

const ElasticAddress& ElasticAddresses::allocate() {
  const auto taken = [&](Ipv4 address) {
    return table.first([&](const ElasticAddress& one) { return one.public_ip == address; });
  };
  for (std::uint32_t tries = 0; tries < kElasticCount; ++tries) {
    const Ipv4 address{kFirstElastic.value + 1 + given_++ % kElasticCount};
    if (taken(address)) continue;
    released_.erase(address);
    return table.add({.id = ids_.next("eipalloc"), .public_ip = address});
  }
  throw ApiError("AddressLimitExceeded", "The maximum number of addresses has been reached.");
}

const ElasticAddress& ElasticAddresses::recover(const std::string& public_ip) {
  const auto address = parse_ipv4(public_ip);
  if (!address || released_.erase(*address) == 0) throw no_address(public_ip);
  return table.add({.id = ids_.next("eipalloc"), .public_ip = *address});
}

void ElasticAddresses::release(const std::string& allocation) {
  const ElasticAddress& address = table.find(allocation);
  if (!address.association.empty())
    throw ApiError("InvalidIPAddress.InUse",
                   fmt::format("Address {} is in use.", text(address.public_ip)));
  released_.insert(address.public_ip);
  table.erase(allocation);
}

std::string ElasticAddresses::associate(const std::string& allocation, const std::string& id,
                                        bool reassociate) {
  ElasticAddress& address = table.find(allocation);
  const Interface& interface = interfaces_.table.find(id);
  if (!gateways_.of(interface.vpc))
    throw ApiError(
        "Gateway.NotAttached",
        fmt::format("Network {} is not attached to any internet gateway", interface.vpc));
  if (!address.association.empty() && !reassociate)
    throw ApiError("Resource.AlreadyAssociated",
                   fmt::format("resource {} is already associated with associate-id {}", allocation,
                               address.association));
  if (const ElasticAddress* const other = of_interface(id); other && other->id != allocation) {
    if (!reassociate)
      throw ApiError("Resource.AlreadyAssociated",
                     fmt::format("resource {} is already associated with associate-id {}", id,
                                 other->association));
    disassociate(other->association);
  }
  address.interface = id;
  address.association = ids_.next("eipassoc");
  return address.association;
}

void ElasticAddresses::disassociate(const std::string& association) {
  ElasticAddress* const found = table.first([&](const ElasticAddress& address) {
    return !association.empty() && address.association == association;
  });
  if (!found)
    throw ApiError("InvalidAssociationID.NotFound",
                   fmt::format("The association ID '{}' does not exist", association));
  found->association.clear();
  found->interface.clear();
}

void ElasticAddresses::forget_interface(const std::string& interface) {
  if (const ElasticAddress* const found = of_interface(interface)) disassociate(found->association);
}

const ElasticAddress& ElasticAddresses::at(const std::string& public_ip) const {
  const ElasticAddress* const found = table.first(
      [&](const ElasticAddress& address) { return text(address.public_ip) == public_ip; });
  if (!found) throw no_address(public_ip);
  return *found;
}

const ElasticAddress* ElasticAddresses::of_interface(const std::string& interface) const {
  return table.first([&](const ElasticAddress& address) {
    return !interface.empty() && address.interface == interface;
  });
}

std::optional<Ipv4> public_address(const ElasticAddresses& addresses, const Interface& interface) {
  if (const ElasticAddress* const own = addresses.of_interface(interface.id)) return own->public_ip;
  return interface.public_ip;
}

}  // namespace sim::vpc
