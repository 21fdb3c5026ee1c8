// The list of invariants. Each is a file of this folder, a name here and a row in list.cpp.
#pragma once

#include <memory>
#include <vector>

#include "sim/result/invariants/invariant.h"
#include "sim/result/invariants/rules.h"
#include "sim/result/invariants/run_so_far.h"

namespace sim::result {

// Functions that make one invariant each. RunSoFar must outlive the invariant.
using MakeInvariant = std::unique_ptr<Invariant>(const InvariantRules&, const RunSoFar&);
MakeInvariant time_adds_up, money_adds_up, on_graphs, nothing_runs, nothing_attached, nothing_left,
    checkpoint_kept, progress_kept, same_state, one_source, one_volume, done_is_done,
    failed_is_not_done, notice_answered, retries_bounded, job_ends, job_completes, one_fleet,
    nothing_idle, finished_is_told;

// Makes an invariant that the scenario states itself (own.cpp).
std::unique_ptr<Invariant> own_invariant(const OwnInvariant& own);

// All invariants, in the order of a result. The scenario's own come last.
std::vector<std::unique_ptr<Invariant>> all_invariants(const InvariantRules& rules,
                                                       const RunSoFar& run);

}  // namespace sim::result
