// Which instance a group launches next: its zone, its type, on demand or spot (EC2 Auto Scaling
// User Guide, "Allocation strategies for multiple instance types").
#pragma once

#include <vector>

#include "sim/autoscaling/group.h"
#include "sim/cloud/cloud.h"

namespace sim::autoscaling {

struct Candidate {
  LaunchRequest request;  // with zone, subnet, type and maximum price
  LaunchSource source;
  int weight = 1;
  bool weighted = false;
};

// How much of so much capacity is on demand: the base, and the share of the rest, rounded up.
int on_demand_share(const MixedPolicy& policy, int capacity);

// The group's candidates, the best one first. Zones with few instances of the group come first, as
// balance between zones goes before the strategies. `only_zone` empty: all zones. Throws ApiError
// where a launch template is gone.
std::vector<Candidate> candidates(const Group& group, cloud::Cloud& cloud,
                                  const std::string& only_zone = "");

}  // namespace sim::autoscaling
