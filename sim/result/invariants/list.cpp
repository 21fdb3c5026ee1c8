#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

constexpr MakeInvariant* kInvariants[] = {
    time_adds_up, money_adds_up,   on_graphs,          nothing_runs,    nothing_attached,
    nothing_left, checkpoint_kept, progress_kept,      same_state,      one_source,
    one_volume,   done_is_done,    failed_is_not_done, notice_answered, retries_bounded,
    one_fleet,    nothing_idle,    finished_is_told,   job_ends,        job_completes,
};

}  // namespace

std::vector<std::unique_ptr<Invariant>> all_invariants(const InvariantRules& rules,
                                                       const RunSoFar& run) {
  std::vector<std::unique_ptr<Invariant>> all;
  for (MakeInvariant* const make : kInvariants) all.push_back(make(rules, run));
  for (const OwnInvariant& own : rules.own) all.push_back(own_invariant(own));
  return all;
}

}  // namespace sim::result
