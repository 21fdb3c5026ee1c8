// VPCs and their subnets. The comments of the actions in EC2's API reference say what each throws.
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
  // The default VPC; null once it is deleted.
  const Vpc* default_vpc() const;

  Table<Vpc> table{"InvalidVpcID.NotFound", "vpc ID"};
};

class Subnets {
 public:
  // `zones`: those of the region, in order.
  Subnets(const Vpcs& vpcs, std::vector<std::string> zones)
      : vpcs_(vpcs), zones_(std::move(zones)) {}

  // An empty zone is the region's first. Throws InvalidSubnet.Range for a block that is not in the
  // VPC's, InvalidSubnet.Conflict for one that overlaps another subnet's.
  const Subnet& create(const std::string& id, const std::string& vpc, const std::string& cidr,
                       const std::string& zone);
  // The default subnet of a zone: 172.31.0.0/20 in the first zone, then 172.31.16.0/20.
  const Subnet& create_default(const std::string& id, const std::string& zone);
  // Null for a zone without one.
  const Subnet* default_of(const std::string& zone) const;
  const std::vector<std::string>& zones() const { return zones_; }

  Table<Subnet> table{"InvalidSubnetID.NotFound", "subnet ID"};

 private:
  void check_zone(const std::string& zone) const;

  const Vpcs& vpcs_;
  const std::vector<std::string> zones_;
};

}  // namespace sim::vpc
