// What RunInstances, RequestSpotInstances, a spot fleet's launch specifications and launch
// templates have in common.
#pragma once

#include <vector>

#include "fakes/ec2/call.h"

namespace fakes::ec2 {

// The names by which the three give the same thing.
struct LaunchNames {
  std::string_view network_interfaces;
  std::string_view security_group_ids;    // a list; empty: there is none
  std::string_view security_group_names;  // a list; empty: there is none
  std::string_view groups;  // structures of GroupId and GroupName; empty: there is none
};

// Reads a launch specification without price, weight and tags. A list of zones or subnets
// ("us-west-2a, us-west-2b") gives one LaunchSpec each.
std::vector<sim::cloud::LaunchSpec> read_launch(const Call& call, const Parameters& in,
                                                const LaunchNames& names);

// A launch template's data: the same, of which nothing must be there.
sim::cloud::LaunchSpec read_launch_template(const Call& call, const Parameters& in);

// EC2's own where it is said nowhere: the instance type, the security group.
void fill_in_defaults(const Call& call, sim::cloud::LaunchSpec& spec);

// MetadataOptions: whether the metadata service wants a token.
bool read_v2_required(const Parameters& in);

// Renders what all answers say of a LaunchSpec.
void add_launch(Node out, const Call& call, const sim::cloud::LaunchSpec& spec);

}  // namespace fakes::ec2
