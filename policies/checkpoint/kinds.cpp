// The table of policies: adding one is its .cpp, its declaration and its row.
#include "policies/checkpoint/policy.h"

namespace policies {

CheckpointPolicy make_epoch_policy(std::string_view);
CheckpointPolicy make_steps_policy(std::string_view argument);
CheckpointPolicy make_time_policy(std::string_view argument);
CheckpointPolicy make_on_notice_policy(std::string_view);
CheckpointPolicy make_none_policy(std::string_view);

const std::vector<CheckpointPolicyKind>& checkpoint_policy_kinds() {
  static const std::vector<CheckpointPolicyKind> kinds{
      {"epoch", "", "at the end of every epoch", make_epoch_policy},
      {"steps", "K", "at every K-th step", make_steps_policy},
      {"time", "T", "once T has passed since the last one, as in time:10m", make_time_policy},
      {"on-notice", "", "when told to stop", make_on_notice_policy},
      {"none", "", "never before the end of the training", make_none_policy},
  };
  return kinds;
}

}  // namespace policies
