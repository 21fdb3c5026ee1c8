// What a run of a sweep does, for an advice in words.
#pragma once

#include <optional>
#include <string>

#include "sim/kernel/time.h"

namespace sim::sweep {

// What is empty is not done, or not known.
struct RunPolicies {
  std::string saves{};                   // checkpoint policies, as CheckpointPolicies reads them
  std::string rents{};                   // a strategy, as make_strategy() reads it
  bool in_first_pool = false;            // it rents spot there alone
  bool knows_future = false;             // an oracle is among them: nobody can do it
  std::optional<Duration> checkpoint{};  // what one takes, where variants differ in it
  std::string with{};                    // what else variants differ in: "limit=8h"
};

// Of policies and a strategy, either of which may be empty. Starts no program.
RunPolicies run_policies_of(const std::string& saves, const std::string& rents);

}  // namespace sim::sweep
