// Which invariants there are: each is one file of this folder, one name here and one in list.cpp.
#pragma once

#include <memory>
#include <vector>

#include "sim/result/invariants/invariant.h"
#include "sim/result/invariants/rules.h"

namespace sim::run {

using MakeInvariant = std::unique_ptr<Invariant>(const InvariantRules&);
MakeInvariant time_adds_up, money_adds_up, on_graphs, nothing_runs, progress_kept, one_volume;

// In the order in which a result has them.
std::vector<std::unique_ptr<Invariant>> all_invariants(const InvariantRules& rules);

}  // namespace sim::run
