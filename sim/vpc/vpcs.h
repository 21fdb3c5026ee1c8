// VPCs and their subnets. EC2's API reference lists, per action, the errors that each function
// throws.
#pragma once

#include <string>
#include <vector>

#include "sim/vpc/resources.h"
#include "sim/vpc/table.h"

namespace sim::vpc {

class Vpcs {
 public:
  // Throws InvalidVpc.Range for a block that is larger than /16 or smaller than /28.
  const Vpc& create(const std::string& id, const std::string& cidr, const std::string& tenancy);
  // The default VPC; null after its deletion.
  const Vpc* default_vpc() const;
  // "default" stands for AWS's own settings. Throws InvalidDhcpOptionID.NotFound.
  void associate_dhcp_options(const std::string& vpc, const std::string& options);
  // Throws DependencyViolation while a VPC has them.
  void delete_dhcp_options(const std::string& options);

  Table<Vpc> table{"InvalidVpcID.NotFound", "vpc ID"};
  Table<DhcpOptions> dhcp_options{"InvalidDhcpOptionID.NotFound", "dhcpOption ID"};
};

class Subnets {
 public:
  // `zones` are the region's zones, in order.
  Subnets(const Vpcs& vpcs, std::vector<std::string> zones)
      : vpcs_(vpcs), zones_(std::move(zones)) {}

  // An empty zone means the region's first. Throws InvalidSubnet.Range for a block outside the
  // VPC's, and InvalidSubnet.Conflict for one that overlaps another subnet's.
  const Subnet& create(const std::string& id, const std::string& vpc, const std::string& cidr,
                       const std::string& zone);
  // The default subnet of a zone: 172.31.0.0/20 in the first zone, then 172.31.16.0/20.
  const Subnet& create_default(const std::string& id, const std::string& zone);
  // Null for a zone without a default subnet.
  const Subnet* default_of(const std::string& zone) const;
  const std::vector<std::string>& zones() const { return zones_; }

  Table<Subnet> table{"InvalidSubnetID.NotFound", "subnet ID"};

 private:
  void check_zone(const std::string& zone) const;

  const Vpcs& vpcs_;
  const std::vector<std::string> zones_;
};

}  // namespace sim::vpc
