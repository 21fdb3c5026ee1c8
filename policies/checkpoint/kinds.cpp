// The table of policies. A new policy needs a make_ function, in the file of its family
// (simple.cpp, announced.cpp, interval.cpp, prices.cpp) or in a new file. This file needs a
// declaration of the function and one row.
#include "policies/checkpoint/policy.h"

namespace policies {

CheckpointPolicy make_epoch_policy(std::string_view);
CheckpointPolicy make_steps_policy(std::string_view argument);
CheckpointPolicy make_time_policy(std::string_view argument);
CheckpointPolicy make_on_notice_policy(std::string_view);
CheckpointPolicy make_none_policy(std::string_view);
CheckpointPolicy make_young_policy(std::string_view argument);
CheckpointPolicy make_daly_first_order_policy(std::string_view argument);
CheckpointPolicy make_daly_policy(std::string_view argument);
CheckpointPolicy make_exact_policy(std::string_view argument);
CheckpointPolicy make_adaptive_policy(std::string_view argument);
CheckpointPolicy make_hazard_policy(std::string_view argument);
CheckpointPolicy make_checkfreq_policy(std::string_view argument);
CheckpointPolicy make_hourly_policy(std::string_view);
CheckpointPolicy make_rising_edge_policy(std::string_view);
CheckpointPolicy make_threshold_policy(std::string_view argument);
CheckpointPolicy make_eic_policy(std::string_view);
CheckpointPolicy make_on_rebalance_policy(std::string_view);
CheckpointPolicy make_grace_policy(std::string_view);
CheckpointPolicy make_before_hop_policy(std::string_view);
CheckpointPolicy make_oracle_policy(std::string_view);
CheckpointPolicy make_command_policy(std::string_view argument);

const std::vector<CheckpointPolicyKind>& checkpoint_policy_kinds() {
  static const std::vector<CheckpointPolicyKind> kinds{
      {"epoch", "", "at the end of every epoch", make_epoch_policy},
      {"steps", "K", "after every K-th step", make_steps_policy},
      {"time", "T", "when T has passed since the last checkpoint, as in time:10m",
       make_time_policy},
      {"on-notice", "",
       "on an interruption notice or SIGTERM, if a checkpoint fits in the time left",
       make_on_notice_policy},
      {"none", "", "only at the end of the training", make_none_policy},
      {"young", "M",
       "at Young's interval for the mean time M between interruptions, as in young:6h",
       make_young_policy},
      {"daly-1", "M", "at Daly's first-order interval for M", make_daly_first_order_policy},
      {"daly", "M", "at Daly's higher-order interval for M", make_daly_policy},
      {"exact", "M", "at the best interval if the times between interruptions are exponential",
       make_exact_policy},
      {"adaptive", "M",
       "every ten minutes, if a checkpoint costs less than the expected loss without it",
       make_adaptive_policy},
      {"hazard", "SHAPE:MEAN",
       "at the best intervals if instance lifetimes are Weibull, as in hazard:0.7:6h",
       make_hazard_policy},
      {"checkfreq", "BOUND",
       "as often as possible while checkpoints stop training for at most this share, as in "
       "checkfreq:0.035",
       make_checkfreq_policy},
      {"hourly", "", "before each full hour since the launch", make_hourly_policy},
      {"rising-edge", "", "when the spot price rises and is still below the bid",
       make_rising_edge_policy, true},
      {"threshold", "SHARE", "when the spot price rises above bid·(1 − SHARE)",
       make_threshold_policy, true},
      {"eic", "", "when the spot price rises above halfway from its recent minima to the bid",
       make_eic_policy, true},
      {"on-rebalance", "", "once, after EC2's rebalance recommendation", make_on_rebalance_policy},
      {"grace", "",
       "on a notice or SIGTERM: a full or incremental checkpoint or none, by the time left",
       make_grace_policy},
      {"before-hop", "", "before a planned move to another instance; nothing plans moves so far",
       make_before_hop_policy},
      {"oracle", "", "just before the next interruption, which it knows", make_oracle_policy, true},
      {"command", "PROGRAM", "when this program decides so; its arguments are quoted as in a shell",
       make_command_policy},
  };
  return kinds;
}

}  // namespace policies
