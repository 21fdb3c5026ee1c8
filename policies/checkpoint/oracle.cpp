// Just before the interruption, by knowing when it comes and what a checkpoint will take: at the
// last step after which the next one and its checkpoint would come too late, or when told to stop
// while there is still time. What is left of the time until then is lost in any case, so no other
// policy loses less to a single interruption.
#include "policies/checkpoint/policy.h"

namespace policies {

CheckpointPolicy make_oracle_policy(std::string_view) {
  return {[](const CheckpointState& state) {
            const Duration left = *state.next_interruption, save = *state.next_save;
            const bool last_chance = state.notice || left < *state.step_time + save;
            return full_if(left >= save && last_chance && state.last_checkpoint_step != state.step);
          },
          {Input::next_interruption, Input::step_time}};
}

}  // namespace policies
