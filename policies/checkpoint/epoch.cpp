#include "policies/checkpoint/policy.h"

namespace policies {

CheckpointPolicy make_epoch_policy(std::string_view) {
  return {[](const CheckpointState& state) {
    return full_if(state.step % state.steps_per_epoch == 0);
  }};
}

}  // namespace policies
