// What a scenario says of invariants: how strict the ones there are, and its own.
#pragma once

#include <optional>

#include "sim/kernel/time.h"

namespace sim::run {

struct InvariantRules {
  // From an interruption notice to what the job does about it. Empty: 30 s for a trainer that
  // reports its own lines, any time for one that is heard by patterns.
  std::optional<Duration> notice_reaction;
};

}  // namespace sim::run
