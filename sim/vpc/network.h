// The private networks of one account in one region: VPCs with their subnets, gateways, routes and
// security groups, the interfaces of instances, elastic addresses, key pairs and placement groups.
//
// Plain data and rules: no clock, no events, no protocol. Everything happens at once. A function
// throws ApiError with EC2's code where EC2 would refuse. Each part below owns one kind of
// resource; the functions of Network do what crosses them.
//
//   RouteTables  ElasticAddresses
//     │    │ └────┐ │   │
//     │    └──► Interfaces ──► Subnets ──► Vpcs       SecurityGroups ──► Vpcs
//     └───► InternetGateways ───────────────┘         KeyPairs, PlacementGroups
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/kernel/random.h"
#include "sim/vpc/elastic_addresses.h"
#include "sim/vpc/interfaces.h"
#include "sim/vpc/internet_gateways.h"
#include "sim/vpc/key_pairs.h"
#include "sim/vpc/placement_groups.h"
#include "sim/vpc/route_tables.h"
#include "sim/vpc/security_groups.h"
#include "sim/vpc/vpcs.h"

namespace sim::vpc {

class Network {
 public:
  // With the default VPC: a default subnet in each zone, an internet gateway, a main route table
  // and a default group. Their IDs are functions of the seed.
  Network(const Streams&, std::vector<std::string> zones);

  // With its main route table and its default group.
  const Vpc& create_vpc(const std::string& cidr, const std::string& tenancy);
  // Throws DefaultVpcAlreadyExists.
  const Vpc& create_default_vpc();
  const Subnet& create_subnet(const std::string& vpc, const std::string& cidr,
                              const std::string& zone);
  const Subnet& create_default_subnet(const std::string& zone);
  const InternetGateway& create_internet_gateway();
  const RouteTable& create_route_table(const std::string& vpc);
  const DhcpOptions& create_dhcp_options(DhcpOptions);

  // These throw DependencyViolation while something uses the resource.
  void delete_vpc(const std::string& vpc);
  void delete_subnet(const std::string& subnet);
  void delete_security_group(const std::string& group);
  // Not while an instance of the VPC has a public address.
  void detach_internet_gateway(const std::string& gateway, const std::string& vpc);
  // Removes an interface and its associations. Throws InvalidNetworkInterface.InUse.
  void delete_interface(const std::string& interface);

  // The instance is terminated: removes its interfaces and their associations. It leaves its
  // placement group.
  void release(const std::string& instance);

  // Whether a launch can name these now: the subnet (empty: the zone's default one; an empty zone:
  // any) and the groups exist.
  bool has(const std::string& subnet, const std::string& zone,
           const std::vector<std::string>& groups) const;
  // How many instances can get an address in the subnet (empty: the zone's default one), or this
  // private address. Default subnets have room for all.
  int room(const std::string& subnet, const std::string& zone, const std::string& private_ip) const;

  // What the IDs of resources with tags begin with.
  static constexpr const char* kTaggable[] = {"vpc-", "subnet-",   "igw-", "rtb-", "sg-",  "sgr-",
                                              "eni-", "eipalloc-", "key-", "pg-",  "dopt-"};
  // The tags of a resource. Throws Invalid*.NotFound, or InvalidID for an ID of an unknown kind.
  Tags& tags(const std::string& id);

  // Why a TCP connection from one instance to a port of another has no answer; empty: it may
  // connect.
  std::string obstacle(const Interface& from, const Interface& to, int port) const;

 private:
  Ids ids_;

 public:
  Vpcs vpcs;
  Subnets subnets;
  InternetGateways gateways;
  SecurityGroups groups;
  Interfaces interfaces;
  RouteTables route_tables;
  ElasticAddresses addresses;
  KeyPairs key_pairs;
  PlacementGroups placement_groups;

 private:
  // Gives new IDs, those of the account's first default VPC as functions of the seed.
  enum class Naming { kSeed, kNew };
  const Vpc& make_default_vpc(Naming);
  std::string id(Naming, const std::string& prefix, const std::string& name);
};

}  // namespace sim::vpc
