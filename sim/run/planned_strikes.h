// Reports the effect of each planned interruption and fault at the end of a run, or why it had
// none.
#pragma once

#include <vector>

#include "sim/faults/engine.h"
#include "sim/result/history.h"
#include "sim/result/result.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

// One entry for each interruption of the scenario, then one for each fault of the plan. `tallies`
// has the counts of the scenario's faults first, then of its interruptions.
std::vector<result::PlannedStrike> planned_strikes(const scenario::Scenario& scenario,
                                                   const std::vector<faults::Tally>& tallies,
                                                   const result::History& history);

}  // namespace sim::run
