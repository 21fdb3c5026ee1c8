// The network interfaces of instances: which subnet they are in, their addresses and groups.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/vpc/resources.h"
#include "sim/vpc/table.h"
#include "sim/vpc/vpcs.h"

namespace sim::vpc {

class Interfaces {
 public:
  explicit Interfaces(const Subnets& subnets) : subnets_(subnets) {}

  struct Wish {
    std::string instance;
    std::string subnet;
    std::vector<std::string> groups;
    std::string private_ip;         // empty: any
    std::optional<bool> public_ip;  // empty: the subnet's setting
    std::size_t number = 0;         // of the launch: the start of the search for an address
    Time now{};
  };
  // Throws InvalidIPAddress.InUse, InsufficientFreeAddressesInSubnet.
  const Interface& attach(const Wish&);
  // What attach() would throw for this private address.
  void check_free(const std::string& subnet, const std::string& private_ip) const;
  bool is_free(const Subnet& subnet, const std::string& private_ip) const {
    return !in_use(subnet, parse_ipv4(private_ip).value_or(subnet.cidr.base));
  }
  // The instance is terminated. Has no effect on an instance without an interface.
  void release(const std::string& instance);
  // A stopped instance loses its public address, and gets another one when it starts.
  void take_public_address(const std::string& instance);
  void give_public_address(const std::string& instance, std::optional<bool> asked);
  void set_groups(const std::string& instance, const std::vector<std::string>& groups);

  // Null for an instance that has none any more.
  const Interface* of(const std::string& instance) const;
  // How many addresses of a subnet an instance can still get.
  std::int64_t free_addresses(const Subnet&) const;
  bool uses_subnet(const std::string& subnet) const;
  bool uses_group(const std::string& group) const;

  // Of an instance: "i-0a…" → "eni-0a…".
  static std::string id_of(const std::string& instance) { return "eni-" + instance.substr(2); }

  Table<Interface> table{"InvalidNetworkInterfaceID.NotFound", "networkInterface ID"};

 private:
  Ipv4 choose(const Subnet&, const Wish&) const;
  bool in_use(const Subnet&, Ipv4) const;
  std::optional<Ipv4> public_address(const Subnet&, Ipv4 private_ip, std::optional<bool> asked);

  const Subnets& subnets_;
  std::map<std::string, std::multiset<Ipv4>> addresses_;  // in use, by subnet
  std::uint32_t public_addresses_ = 0;                    // given outside of default subnets
};

}  // namespace sim::vpc
