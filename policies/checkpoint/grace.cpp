// After a notice, what fits in the time left at the measured speed of writing: a full checkpoint
// when at least 80 % of one does (the measured speed is a mean, and the notice's end not sharp), an
// incremental one from 30 %, else none. An end that is not known leaves time enough.
#include "policies/checkpoint/fit.h"
#include "policies/checkpoint/policy.h"

namespace policies {

CheckpointPolicy make_grace_policy(std::string_view) {
  return {[](const CheckpointState& state) {
    if (!state.notice || state.last_checkpoint_step == state.step) return Save::no;
    const double share = share_that_fits(state).value_or(1.0);
    if (share >= 0.8) return Save::full;
    return share >= 0.3 ? Save::incremental : Save::no;
  }};
}

}  // namespace policies
