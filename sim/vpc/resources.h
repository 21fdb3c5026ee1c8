// The resources of an account's private networks as plain data.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/kernel/time.h"
#include "sim/vpc/cidr.h"

namespace sim::vpc {

using Tags = std::map<std::string, std::string>;

struct Vpc {
  std::string id;
  Cidr cidr;
  bool is_default = false;
  std::string tenancy = "default";
  bool dns_support = true;
  bool dns_hostnames = false;
  bool address_usage_metrics = false;  // EnableNetworkAddressUsageMetrics
  std::string dhcp_options = {};       // empty: AWS's DNS servers
  Tags tags;
};

struct Subnet {
  std::string id;
  std::string vpc;
  std::string zone;
  Cidr cidr;
  bool default_for_zone = false;
  bool map_public_ip = false;  // MapPublicIpOnLaunch
  Tags tags;
};

struct InternetGateway {
  std::string id;
  std::string vpc;  // empty: detached
  Tags tags;
};

struct Route {
  Cidr destination;
  std::string target;  // "local", "igw-…", "eni-…"
};

struct RouteTable {
  std::string id;
  std::string vpc;
  std::string main_association;                     // empty: not the VPC's main table
  std::map<std::string, std::string> associations;  // association → subnet
  std::vector<Route> routes;                        // the local route first
  Tags tags;
};

// The traffic that a rule permits: a protocol, ports, and one kind of peer.
struct Permission {
  std::string protocol;    // "tcp", "udp", "icmp", "icmpv6", a number, or "-1" for all
  int from = -1, to = -1;  // ports, or ICMP's type and code; -1: all
  std::optional<Cidr> cidr;
  std::string cidr6;
  std::string group;  // members of this security group
  std::string prefix_list;
  bool operator==(const Permission&) const = default;
};

struct Rule {
  std::string id;
  bool egress = false;
  Permission permission;
  std::string description;
  Tags tags;
};

struct SecurityGroup {
  std::string id;
  std::string name;
  std::string description;
  std::string vpc;
  std::vector<Rule> rules;  // as they were authorized
  Tags tags;
};

// A network interface. Each instance has a primary one, at device index 0.
struct Interface {
  std::string id;
  std::string instance;  // empty: it is not attached
  std::string subnet;
  std::string vpc;
  Ipv4 private_ip;
  std::vector<std::string> groups;
  std::optional<Ipv4> public_ip;  // that EC2 gave it at its launch
  Time attached_at{};
  Tags tags;
  std::string attachment = {};  // "eni-attach-…"; empty: it is not attached
  int device_index = 0;         // of its attachment
  bool delete_on_termination = true;
  bool source_dest_check = true;  // only returned by Describe calls
  std::string description = {};
  std::vector<Ipv4> secondary_ips = {};
};

struct ElasticAddress {
  std::string id;  // its allocation: "eipalloc-…"
  Ipv4 public_ip;
  std::string association;  // empty: none
  std::string interface;
  Tags tags;
};

// Instances near each other (strategy "cluster"), or on separate hardware ("partition", "spread").
struct PlacementGroup {
  std::string id;  // "pg-…"
  std::string name;
  std::string strategy;
  int partitions = 0;  // 0 unless the strategy is "partition"
  Tags tags;
};

// Settings that a VPC's instances get by DHCP. Guests do not use them.
struct DhcpOptions {
  std::string id;                                                          // "dopt-…"
  std::vector<std::pair<std::string, std::vector<std::string>>> settings;  // key → values
  Tags tags;
};

struct KeyPair {
  std::string id;
  std::string name;
  std::string type;  // "rsa" or "ed25519"
  std::string fingerprint;
  std::string public_key;  // "ssh-rsa AAAA…", without a comment
  Time created{};
  Tags tags;
};

}  // namespace sim::vpc
