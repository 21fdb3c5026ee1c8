// Elastic IP addresses.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "sim/vpc/interfaces.h"
#include "sim/vpc/internet_gateways.h"
#include "sim/vpc/resources.h"
#include "sim/vpc/table.h"

namespace sim::vpc {

class ElasticAddresses {
 public:
  ElasticAddresses(Ids& ids, const Interfaces& interfaces, const InternetGateways& gateways)
      : ids_(ids), interfaces_(interfaces), gateways_(gateways) {}

  const ElasticAddress& allocate();
  // Allocates an address again that the account has released. Throws InvalidAddress.NotFound.
  const ElasticAddress& recover(const std::string& public_ip);
  // Throws InvalidIPAddress.InUse while it is associated.
  void release(const std::string& allocation);
  // Returns the association's ID. Another address of the interface is disassociated. Throws
  // Resource.AlreadyAssociated, Gateway.NotAttached for a VPC without an internet gateway.
  std::string associate(const std::string& allocation, const std::string& interface,
                        bool reassociate);
  // Throws InvalidAssociationID.NotFound.
  void disassociate(const std::string& association);
  // Removes an interface that no longer exists.
  void forget_interface(const std::string& interface);

  // Throws InvalidAddress.NotFound.
  const ElasticAddress& at(const std::string& public_ip) const;
  // Null for an interface without an elastic address.
  const ElasticAddress* of_interface(const std::string& interface) const;

  Table<ElasticAddress> table{"InvalidAllocationID.NotFound", "allocation ID"};

 private:
  Ids& ids_;
  const Interfaces& interfaces_;
  const InternetGateways& gateways_;
  std::uint32_t given_ = 0;
  std::set<Ipv4> released_;
};

// The public address of an interface. An elastic address replaces the launch's address.
std::optional<Ipv4> public_address(const ElasticAddresses&, const Interface&);

}  // namespace sim::vpc
