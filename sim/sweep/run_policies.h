// The policies of a sweep's run, for an advice in words.
#pragma once

#include <optional>
#include <string>

#include "sim/kernel/time.h"

namespace sim::sweep {

// An empty member means that it is not done, or not known.
struct RunPolicies {
  std::string saves{};                   // checkpoint policies, as CheckpointPolicies reads them
  std::string rents{};                   // a strategy, as make_strategy() reads it
  bool in_first_pool = false;            // it rents only in its first pool
  bool knows_future = false;             // it contains an oracle, which is impossible in practice
  std::optional<Duration> checkpoint{};  // cost of a checkpoint, if variants differ in it
  std::string with{};                    // other differences of variants: "limit=8h"
};

// For checkpoint policies and a strategy; both may be empty. Starts no program.
RunPolicies run_policies_of(const std::string& saves, const std::string& rents);

}  // namespace sim::sweep
