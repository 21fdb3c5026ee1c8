// Selects the next instance that a group launches: zone, type, and on-demand or spot (EC2 Auto
// Scaling User Guide, "Allocation strategies for multiple instance types").
#pragma once

#include <vector>

#include "sim/autoscaling/group.h"
#include "sim/cloud/cloud.h"

namespace sim::autoscaling {

// An instance that the group could launch.
struct Candidate {
  LaunchRequest request;  // with zone, subnet, type and maximum price
  LaunchSource source;
  int weight = 1;
  bool weighted = false;
};

// How much of `capacity` is on-demand: the base, plus the percentage of the rest, rounded up.
int on_demand_share(const MixedPolicy& policy, int capacity);

// Returns the group's candidates, the best one first. Zones with few instances of the group come
// first, because balance between zones has precedence over the strategies. `only_zone` restricts
// the candidates to one zone; empty means all zones. Throws ApiError if a launch template does not
// exist.
std::vector<Candidate> candidates(const Group& group, cloud::Cloud& cloud,
                                  const std::string& only_zone = "");

}  // namespace sim::autoscaling
