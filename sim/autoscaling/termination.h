// Selects the instance that is terminated when a group has too many (EC2 Auto Scaling User Guide,
// "Configure termination policies").
#pragma once

#include <string>
#include <vector>

#include "sim/autoscaling/group.h"

namespace sim::autoscaling {

// The names of all policies, in AWS's order.
std::vector<std::string> termination_policy_types();
bool is_termination_policy(const std::string& name);

// Returns the instance to terminate, or null if the group would fall below its desired capacity.
// Instances that are protected from scale-in are never selected. The selection considers, in this
// order: zones that were removed from the group, zones with the most instances, the group's
// policies, and the oldest instance. `launched` returns the time at which an instance was launched.
const Member* to_terminate(const Group& group, Time now,
                           const std::function<Time(const cloud::InstanceId&)>& launched);

}  // namespace sim::autoscaling
