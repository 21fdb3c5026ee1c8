// Hour-boundary checkpointing of Yi, Kondo and Andrzejak, "Reducing costs of spot instances via
// checkpointing in the Amazon Elastic Compute Cloud", IEEE CLOUD 2010: just before each full hour
// since the launch, when a started hour that EC2 interrupted was not charged.
#include "policies/checkpoint/policy.h"

namespace policies {

CheckpointPolicy make_hourly_policy(std::string_view) {
  return {[](const CheckpointState& state) {
            // The hour in which the next step's checkpoint would end.
            const auto hour_at = [&](Duration since_launch) {
              return std::chrono::floor<std::chrono::hours>(since_launch + *state.step_time +
                                                            *state.checkpoint_cost);
            };
            const Duration age_at_last =
                *state.since_launch - (state.now - state.last_checkpoint_time);
            const auto hour = hour_at(*state.since_launch);
            return full_if(hour > std::chrono::hours(0) && hour > hour_at(age_at_last));
          },
          {Input::since_launch, Input::step_time, Input::checkpoint_cost}};
}

}  // namespace policies
