// What Groups does for a group now.
#pragma once

#include "sim/autoscaling/groups.h"

namespace sim::autoscaling {

struct Groups::Work {
  Group group;
  std::optional<EventId> settling = {};
  Time settles_at{};
  int failures = 0;         // launches in a row that failed
  Time no_launch_before{};  // the pause after a failure
  std::string why = {};     // what changed the desired capacity, until the group has it
  int reactions = 0;        // how many random delays were drawn
  int replacing = 0;        // unhealthy instances whose replacements are not launched yet
  std::optional<Time> scaled_at = {};  // the last activity's end, where the cooldown begins
};

// AWS's own words: "At 2024-05-01T10:00:00Z an instance was …".
std::string at_time(Time t, const std::string& what);
cloud::ApiError validation_error(const std::string& message);

}  // namespace sim::autoscaling
