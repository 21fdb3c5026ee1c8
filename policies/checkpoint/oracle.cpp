// Just before the interruption, by knowing when it comes: the least that any policy can pay and
// lose. Saves at the last step after which the next one and its checkpoint would come too late.
#include "policies/checkpoint/policy.h"

namespace policies {

CheckpointPolicy make_oracle_policy(std::string_view) {
  return {[](const CheckpointState& state) {
            const Duration left = *state.next_interruption;
            const Duration cost =
                std::max(*state.checkpoint_cost, state.persist_time.value_or(Duration{}));
            const bool now_or_never = left >= cost && left < *state.step_time + cost;
            return full_if(now_or_never && state.last_checkpoint_step != state.step);
          },
          {Input::next_interruption, Input::checkpoint_cost, Input::step_time}};
}

}  // namespace policies
