// The table of policies: adding one is its .cpp, its declaration and its row.
#include "policies/acquisition/policy.h"

namespace policies {

using Made = std::unique_ptr<AcquisitionPolicy>;
Made make_on_demand(std::string_view);
Made make_spot_only(std::string_view);
Made make_greedy(std::string_view);
Made make_time_sliced(std::string_view argument);
Made make_uniform_progress(std::string_view);
Made make_uniform_progress_oracle(std::string_view);
Made make_fallback_failures(std::string_view count);
Made make_fallback_waiting(std::string_view duration);

const std::vector<AcquisitionPolicyKind>& acquisition_policy_kinds() {
  static const std::vector<AcquisitionPolicyKind> kinds{
      {"on-demand", "", "on-demand from beginning to end", false, make_on_demand},
      {"spot-only", "", "spot, waiting where there is none, whatever the deadline", false,
       make_spot_only},
      {"greedy", "", "spot or idle until only on-demand can meet the deadline", false, make_greedy},
      {"time-sliced", "N", "greedy within each of N slices of the time", false, make_time_sliced},
      {"uniform-progress", "", "on-demand when behind the line to the deadline", false,
       make_uniform_progress},
      {"uniform-progress-oracle", "", "the same, told how long spot will last", true,
       make_uniform_progress_oracle},
      {"fallback-failures", "N", "spot, and on-demand to the end after N interruptions", false,
       make_fallback_failures},
      {"fallback-waiting", "T", "spot, and on-demand to the end after waiting T for it", false,
       make_fallback_waiting},
  };
  return kinds;
}

}  // namespace policies
