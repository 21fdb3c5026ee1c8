#include "policies/checkpoint/fit.h"

#include "policies/checkpoint/seconds.h"

namespace policies {

std::optional<double> share_that_fits(const CheckpointState& state) {
  if (!state.time_left || !state.write_speed || !state.checkpoint_bytes ||
      *state.checkpoint_bytes == 0) {
    return {};
  }
  const double seconds = std::max(0.0, seconds_of(*state.time_left));
  return seconds * *state.write_speed / static_cast<double>(*state.checkpoint_bytes);
}

bool may_fit(const CheckpointState& state) { return share_that_fits(state).value_or(1.0) >= 1.0; }

}  // namespace policies
