// Forced before the job leaves an instance by its own will: nothing is lost by a planned hop.
#include "policies/checkpoint/policy.h"

namespace policies {

CheckpointPolicy make_before_hop_policy(std::string_view) {
  return {[](const CheckpointState& state) {
    return full_if(state.hop && state.last_checkpoint_step != state.step);
  }};
}

}  // namespace policies
