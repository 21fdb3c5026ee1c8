// The private addresses that a request names for an interface.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "api/ec2.h"

namespace fakes::ec2 {

struct PrivateAddresses {
  std::string primary;                 // empty: any
  std::vector<std::string> secondary;  // by name
  int more = 0;                        // further secondary ones, any
};

// Throws PrivateIpAddressLimitExceeded if an interface of an instance of this type cannot have so
// many private addresses, with the primary one.
void check_address_limit(const std::string& instance_type, std::size_t addresses);

// Throws InvalidParameterCombination if the request's members contradict each other.
PrivateAddresses read_private_addresses(
    const api::Opt<std::string>& primary,
    const api::List<api::ec2::PrivateIpAddressSpecification>& listed,
    const api::Opt<std::int64_t>& secondary_count);

// The same from a structure that has all three members.
template <class Interface>
PrivateAddresses read_private_addresses(const Interface& in) {
  return read_private_addresses(in.private_ip_address, in.private_ip_addresses,
                                in.secondary_private_ip_address_count);
}

}  // namespace fakes::ec2
