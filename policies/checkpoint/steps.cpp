#include "policies/checkpoint/argument.h"
#include "policies/checkpoint/policy.h"

namespace policies {

CheckpointPolicy make_steps_policy(std::string_view argument) {
  const auto every = read_count(argument, "a whole number of steps");
  // Multiples of K rather than K steps since the last one: the checkpointed steps are then the same
  // however often the training was interrupted.
  return {[every](const CheckpointState& state) { return full_if(state.step % every == 0); }};
}

}  // namespace policies
