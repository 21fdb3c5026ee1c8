// Which instance goes when a group has too many (EC2 Auto Scaling User Guide, "Configure
// termination policies").
#pragma once

#include <string>
#include <vector>

#include "sim/autoscaling/group.h"

namespace sim::autoscaling {

// The names of all policies, in AWS's order.
std::vector<std::string> termination_policy_types();
bool is_termination_policy(const std::string& name);

// The instance to end, if one may go without the group falling below its desired capacity. An
// instance that is protected from scale-in never goes. Zones that the group no longer has go first,
// then zones with the most instances, then the group's policies decide in their order, then the
// oldest instance goes. `launched`: when each instance was launched.
const Member* to_terminate(const Group& group, Time now,
                           const std::function<Time(const cloud::InstanceId&)>& launched);

}  // namespace sim::autoscaling
