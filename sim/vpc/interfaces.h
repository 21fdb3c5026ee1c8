// Network interfaces: subnets, addresses, groups and attachments of each. A guest
// uses its primary interface only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/vpc/resources.h"
#include "sim/vpc/table.h"
#include "sim/vpc/vpcs.h"

namespace sim::vpc {

class Interfaces {
 public:
  Interfaces(Ids& ids, const Subnets& subnets) : ids_(ids), subnets_(subnets) {}
  // Calls this function when an address is free again, or an interface is no longer attached.
  void on_freed(std::function<void()> freed) { freed_ = std::move(freed); }

  // ---- primary interfaces
  struct Wish {
    std::string instance;
    std::string subnet;
    std::vector<std::string> groups;
    std::string private_ip;         // empty: any
    std::optional<bool> public_ip;  // empty: the subnet's setting
    std::size_t number = 0;         // of the launch: the start of the search for an address
    Time now{};
    std::string interface = {};                   // an existing one; empty: makes a new one
    std::vector<std::string> secondary_ips = {};  // further private addresses
    int more_addresses = 0;                       // any further private addresses
  };
  // Throws InvalidIPAddress.InUse, InsufficientFreeAddressesInSubnet,
  // InvalidNetworkInterface.InUse.
  const Interface& attach(const Wish&);
  // What attach() would throw for this private address.
  void check_free(const std::string& subnet, const std::string& private_ip) const;
  bool is_free(const Subnet& subnet, const std::string& private_ip) const {
    return !in_use(subnet, parse_ipv4(private_ip).value_or(subnet.cidr.base));
  }
  // Whether this interface exists and is not attached.
  bool is_available(const std::string& id) const {
    return table.has(id) && table.find(id).attachment.empty();
  }
  // Throws InvalidNetworkInterface.InUse.
  void check_available(const std::string& id) const;
  // The instance is terminated: removes or detaches its interfaces, as delete_on_termination says.
  // Returns the IDs of the removed ones.
  std::vector<std::string> release(const std::string& instance);
  // A stopped instance loses its public address, and gets another one when it starts.
  void take_public_address(const std::string& instance);
  void give_public_address(const std::string& instance, std::optional<bool> asked);
  void set_groups(const std::string& instance, const std::vector<std::string>& groups);

  // The primary interface. Null for an instance that has none any more.
  const Interface* of(const std::string& instance) const;

  // ---- further interfaces (further_interfaces.cpp)
  struct Description {
    std::string subnet;
    std::vector<std::string> groups;
    std::string private_ip = {};                  // empty: any
    std::vector<std::string> secondary_ips = {};  // further private addresses
    int more_addresses = 0;                       // any further private addresses
    std::string text = {};
  };
  // Throws as attach() does for an address.
  const Interface& create(const Description&);
  // Gives an interface these addresses and `more` others, all or none, and returns them. Throws as
  // attach() does for an address.
  std::vector<Ipv4> add_addresses(const std::string& id, const std::vector<std::string>& named,
                                  int more);
  // Takes secondary addresses. Throws InvalidParameterValue unless the interface has all of them.
  void remove_addresses(const std::string& id, const std::vector<std::string>& named);
  // Returns the attachment's ID. Throws InvalidNetworkInterface.InUse, and InvalidParameterValue
  // for a device index that is in use.
  std::string attach(const std::string& id, const std::string& instance, int device_index,
                     Time now);
  // Throws InvalidAttachmentID.NotFound, and OperationNotPermitted for a primary interface.
  void detach(const std::string& attachment);
  // Throws InvalidNetworkInterface.InUse while it is attached.
  void remove(const std::string& id);
  // Throws InvalidAttachmentID.NotFound unless this is the interface's attachment.
  void set_delete_on_termination(const std::string& id, const std::string& attachment,
                                 bool deleted);
  // All interfaces of an instance, by device index.
  std::vector<const Interface*> all_of(const std::string& instance) const;
  // How many addresses of a subnet an instance can still get.
  std::int64_t free_addresses(const Subnet&) const;
  bool uses_subnet(const std::string& subnet) const;
  bool uses_group(const std::string& group) const;

  Table<Interface> table{"InvalidNetworkInterfaceID.NotFound", "networkInterface ID"};

 private:
  // The primary interface: "i-0a…" → "eni-0a…", unless its launch named an existing one.
  std::string id_of(const std::string& instance) const;
  const Interface& attach_existing(const Wish&);
  std::vector<Ipv4> take(const Subnet&, const std::vector<std::string>& named, int more);
  Ipv4 choose(const Subnet&, const Wish&) const;
  void erase(const Interface&);
  void end_attachment(Interface&);
  bool in_use(const Subnet&, Ipv4) const;
  std::optional<Ipv4> public_address(const Subnet&, Ipv4 private_ip, std::optional<bool> asked);

  Ids& ids_;
  const Subnets& subnets_;
  std::function<void()> freed_ = [] {};
  std::map<std::string, std::multiset<Ipv4>> addresses_;  // in use, by subnet
  std::map<std::string, std::set<std::string>> further_;  // interfaces by instance, not primary
  std::map<std::string, std::string> existing_;           // primary interfaces that existed before
  std::size_t created_ = 0;                               // further interfaces so far
  std::uint32_t public_addresses_ = 0;                    // given outside of default subnets
};

}  // namespace sim::vpc
