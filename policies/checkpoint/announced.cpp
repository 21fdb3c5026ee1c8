// Policies that wait for an announcement: a notice, a recommendation, a hop, or an oracle's word.
#include "policies/checkpoint/policy.h"
#include "policies/checkpoint/seconds.h"

namespace policies {
namespace {

// The share of a full checkpoint that can be written in the time left at the measured speed; 1 is
// all of it. Empty if one of the three values is unknown.
std::optional<double> share_that_fits(const CheckpointState& state) {
  if (!state.time_left || !state.write_speed || !state.checkpoint_bytes ||
      *state.checkpoint_bytes == 0) {
    return {};
  }
  const double seconds = std::max(0.0, seconds_of(*state.time_left));
  return seconds * *state.write_speed / static_cast<double>(*state.checkpoint_bytes);
}

// False when it is known that a full checkpoint does not fit in the time left.
bool may_fit(const CheckpointState& state) { return share_that_fits(state).value_or(1.0) >= 1.0; }

}  // namespace

CheckpointPolicy make_on_notice_policy(std::string_view) {
  return {
      [](const CheckpointState& state) {
        return full_if(state.notice && state.last_checkpoint_step != state.step && may_fit(state));
      },
      {},
      quiet_until_told};
}

// After a notice: a full checkpoint if at least 80 % of one fits into the time left at the measured
// speed, an incremental one from 30 %, else none. (The speed is a mean, and the notice's end is not
// exact.) With an unknown end, there is enough time.
CheckpointPolicy make_grace_policy(std::string_view) {
  return {[](const CheckpointState& state) {
            if (!state.notice || state.last_checkpoint_step == state.step) return Save::no;
            const double share = share_that_fits(state).value_or(1.0);
            if (share >= 0.8) return Save::full;
            return share >= 0.3 ? Save::incremental : Save::no;
          },
          {},
          quiet_until_told};
}

// Once when EC2 recommends to rebalance: the instance is at elevated risk of interruption.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/rebalance-recommendations.html
CheckpointPolicy make_on_rebalance_policy(std::string_view) {
  return {[seen = false](const CheckpointState& state) mutable {
            const bool came = state.rebalance && !seen;
            seen = state.rebalance;
            return full_if(came);
          },
          {},
          quiet_until_told};
}

// Forced before the job leaves an instance by its own will: nothing is lost by a planned hop.
CheckpointPolicy make_before_hop_policy(std::string_view) {
  return {[](const CheckpointState& state) {
            return full_if(state.hop && state.last_checkpoint_step != state.step);
          },
          {},
          quiet_until_told};
}

// Saves just before the interruption, from the known time of it and the known cost of a checkpoint.
// It saves at the last step after which another step and a checkpoint would be too late, or on a
// notice with enough time. The remaining time is lost in any case, so no other policy loses less to
// one interruption.
CheckpointPolicy make_oracle_policy(std::string_view) {
  return {[](const CheckpointState& state) {
            const Duration left = *state.next_interruption, save = *state.next_save;
            const bool last_chance = state.notice || left < *state.step_time + save;
            return full_if(left >= save && last_chance && state.last_checkpoint_step != state.step);
          },
          {Input::next_interruption, Input::step_time}};
}

}  // namespace policies
