// The table of policies. A new one costs its make_ function, in the file of its family (simple.cpp,
// announced.cpp, interval.cpp, prices.cpp) or in one of its own, and here the declaration of that
// function and one row.
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
      {"steps", "K", "at every K-th step", make_steps_policy},
      {"time", "T", "once T has passed since the last one, as in time:10m", make_time_policy},
      {"on-notice", "", "on a notice or SIGTERM, if it fits in the time left",
       make_on_notice_policy},
      {"none", "", "never before the end of the training", make_none_policy},
      {"young", "M", "every √(2dM), M as in young:6h", make_young_policy},
      {"daly-1", "M", "at Daly's first-order interval", make_daly_first_order_policy},
      {"daly", "M", "at Daly's higher-order interval", make_daly_policy},
      {"exact", "M", "at the best interval for exponential interruptions", make_exact_policy},
      {"adaptive", "M", "every ten minutes, if skipping it is expected to cost more",
       make_adaptive_policy},
      {"hazard", "SHAPE:MEAN", "at the best intervals for Weibull lives, as in hazard:0.7:6h",
       make_hazard_policy},
      {"checkfreq", "BOUND", "as often as stalls stay below this share, as in checkfreq:0.035",
       make_checkfreq_policy},
      {"hourly", "", "before each full hour since the launch", make_hourly_policy},
      {"rising-edge", "", "when the price rises below the bid", make_rising_edge_policy, true},
      {"threshold", "SHARE", "when the price rises above bid·(1 − SHARE)", make_threshold_policy,
       true},
      {"eic", "", "when the price rises above the mean of its recent minima and the bid",
       make_eic_policy, true},
      {"on-rebalance", "", "once after a rebalance recommendation", make_on_rebalance_policy},
      {"grace", "", "on a notice or SIGTERM: full, incremental or none, as the time left allows",
       make_grace_policy},
      {"before-hop", "", "before a planned move", make_before_hop_policy},
      {"oracle", "", "just before the next interruption, if that is known", make_oracle_policy,
       true},
      {"command", "PROGRAM",
       "when this program decides so; it may have arguments, in a shell's quotes",
       make_command_policy},
  };
  return kinds;
}

}  // namespace policies
