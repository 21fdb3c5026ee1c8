// Policies that count only steps and time.
#include "policies/checkpoint/argument.h"
#include "policies/checkpoint/policy.h"

namespace policies {
namespace {

// Quiet until the next step that is a multiple of `every`.
Duration until_multiple(const CheckpointState& state, std::int64_t every) {
  if (!state.step_time) return Duration::zero();
  const std::int64_t steps = every - state.step % every;
  return steps > Duration::max() / *state.step_time ? Duration::max() : steps * *state.step_time;
}

}  // namespace

CheckpointPolicy make_epoch_policy(std::string_view) {
  return {
      [](const CheckpointState& state) { return full_if(state.step % state.steps_per_epoch == 0); },
      {},
      [](const CheckpointState& state) { return until_multiple(state, state.steps_per_epoch); }};
}
CheckpointPolicy make_steps_policy(std::string_view argument) {
  const auto every = read_count(argument, "a whole number of steps");
  // Multiples of K rather than K steps since the last one, so that interruptions do not change
  // which steps are saved.
  return {[every](const CheckpointState& state) { return full_if(state.step % every == 0); },
          {},
          [every](const CheckpointState& state) { return until_multiple(state, every); }};
}
CheckpointPolicy make_time_policy(std::string_view argument) {
  const Duration interval = read_duration(argument);
  return {[interval](const CheckpointState& state) {
            return full_if(state.now - state.last_checkpoint_time >= interval);
          },
          {},
          [interval](const CheckpointState& state) {
            return interval - (state.now - state.last_checkpoint_time);
          }};
}
CheckpointPolicy make_none_policy(std::string_view) {
  return {[](const CheckpointState&) { return Save::no; }, {}, quiet_until_told};
}

}  // namespace policies
