// The state of a group while Groups works on it: the group and the pending actions.
#pragma once

#include "sim/autoscaling/groups.h"

namespace sim::autoscaling {

struct Groups::Work {
  Group group;
  std::optional<EventId> settling = {};
  Time settles_at{};
  int failures = 0;                    // consecutive failed launches
  Time no_launch_before{};             // end of the pause after a failure
  std::string why = {};                // what changed the desired capacity, until the group has it
  int reactions = 0;                   // number of random delays drawn so far
  int replacing = 0;                   // unhealthy instances without a launched replacement
  std::optional<Time> scaled_at = {};  // end of the latest activity, at which the cooldown begins
};

// A sentence in AWS's wording: "At 2024-05-01T10:00:00Z an instance was …".
std::string at_time(Time t, const std::string& what);
cloud::ApiError validation_error(const std::string& message);

}  // namespace sim::autoscaling
