// The mean time between interruptions, M, as a policy gets it: stated, or estimated from the ages
// of earlier instances and of this one.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "policies/checkpoint/policy.h"

namespace policies {

struct InterruptionTime {
  std::function<double(const CheckpointState&)> estimate;  // seconds, above 0; when needs are known
  std::vector<Input> needs;
};

// Reads, or throws std::invalid_argument:
//   "6h"        as told;
//   "mean"      the mean of all lives;     "mean:N"  of the last N; until one has ended, this
//               instance's age;
//   "ewma:A"    M ← A·life + (1 − A)·M from one life to the next, beginning with the first; until
//               one has ended, this instance's age;
//   "prior:T"   (T + all time lived) ÷ (1 + interruptions): the mean of the posterior rate under a
//               gamma prior of one interruption in T, this instance's age counted.
InterruptionTime read_interruption_time(std::string_view text);

}  // namespace policies
