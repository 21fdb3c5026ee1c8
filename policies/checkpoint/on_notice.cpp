#include "policies/checkpoint/fit.h"
#include "policies/checkpoint/policy.h"

namespace policies {

CheckpointPolicy make_on_notice_policy(std::string_view) {
  return {[](const CheckpointState& state) {
    return full_if(state.notice && state.last_checkpoint_step != state.step && may_fit(state));
  }};
}

}  // namespace policies
