// Reports the effect of each planned interruption and fault at the end of a run, or why it had
// none.
#pragma once

#include <string>
#include <vector>

#include "sim/faults/engine.h"
#include "sim/result/history.h"
#include "sim/result/result.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

// One entry for each interruption of the region, then one for each fault of the plan. `tallies` has
// the counts of the region's faults first, then of its interruptions. `prefix` is a further
// region's key, such as "regions[0].", whose instances have numbers of their own.
std::vector<result::PlannedStrike> planned_strikes(const scenario::Region& region,
                                                   const std::vector<faults::Tally>& tallies,
                                                   const result::History& history,
                                                   const std::string& prefix = "");

}  // namespace sim::run
