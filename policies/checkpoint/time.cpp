#include <stdexcept>

#include "policies/checkpoint/duration.h"
#include "policies/checkpoint/policy.h"

namespace policies {

CheckpointPolicy make_time_policy(std::string_view argument) {
  const auto interval = parse_duration(argument);
  if (!interval) throw std::invalid_argument("expected a duration with units, such as 10m or 90s");
  return [interval = *interval](const CheckpointState& state) {
    return state.now - state.last_checkpoint_time >= interval;
  };
}

}  // namespace policies
