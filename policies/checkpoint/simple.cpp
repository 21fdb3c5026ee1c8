// Policies that count steps and time, and nothing else.
#include "policies/checkpoint/argument.h"
#include "policies/checkpoint/policy.h"

namespace policies {

CheckpointPolicy make_epoch_policy(std::string_view) {
  return {[](const CheckpointState& state) {
    return full_if(state.step % state.steps_per_epoch == 0);
  }};
}
CheckpointPolicy make_steps_policy(std::string_view argument) {
  const auto every = read_count(argument, "a whole number of steps");
  // Multiples of K rather than K steps since the last one: the checkpointed steps are then the same
  // however often the training was interrupted.
  return {[every](const CheckpointState& state) { return full_if(state.step % every == 0); }};
}
CheckpointPolicy make_time_policy(std::string_view argument) {
  return {[interval = read_duration(argument)](const CheckpointState& state) {
    return full_if(state.now - state.last_checkpoint_time >= interval);
  }};
}
CheckpointPolicy make_none_policy(std::string_view) {
  return {[](const CheckpointState&) { return Save::no; }};
}

}  // namespace policies
