// Once when EC2 recommends to rebalance: the instance is at elevated risk of interruption.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/rebalance-recommendations.html
#include "policies/checkpoint/policy.h"

namespace policies {

CheckpointPolicy make_on_rebalance_policy(std::string_view) {
  return {[seen = false](const CheckpointState& state) mutable {
    const bool came = state.rebalance && !seen;
    seen = state.rebalance;
    return full_if(came);
  }};
}

}  // namespace policies
