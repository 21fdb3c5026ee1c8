#include "sim/sweep/run_policies.h"

#include <algorithm>

#include "policies/acquisition/strategy.h"
#include "policies/checkpoint/policy.h"
#include "policies/checkpoint/words.h"

namespace sim::sweep {
namespace {

bool is_command(std::string_view policy) { return policy.starts_with("command:"); }

bool saves_before_the_future(std::string_view policy) {
  return !is_command(policy) &&
         policies::CheckpointPolicies(policy).need(policies::Input::next_interruption);
}

}  // namespace

RunPolicies run_policies_of(const std::string& saves, const std::string& rents) {
  RunPolicies run{.saves = saves, .rents = rents};
  if (!saves.empty())
    run.knows_future = std::ranges::any_of(policies::split_list(saves), saves_before_the_future);
  if (rents.empty() || is_command(rents)) return run;
  const policies::NamedStrategy strategy = policies::make_strategy(rents);
  run.in_first_pool = strategy.in_first_pool;
  run.knows_future |= strategy.oracle;
  return run;
}

}  // namespace sim::sweep
