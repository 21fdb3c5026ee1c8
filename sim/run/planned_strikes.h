// What became of a run's plan: its interruptions and faults, and why some of them struck nothing.
#pragma once

#include <vector>

#include "sim/faults/engine.h"
#include "sim/result/history.h"
#include "sim/result/result.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

// At the run's end: an entry for each interruption of the scenario, then for each fault of the
// plan. `tallies`: of the scenario's faults, then of its interruptions.
std::vector<PlannedStrike> planned_strikes(const Scenario& scenario,
                                           const std::vector<faults::Tally>& tallies,
                                           const History& history);

}  // namespace sim::run
