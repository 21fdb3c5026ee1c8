// Schedules what a scenario does to the market: capacity, prices and interruptions.
#pragma once

#include "sim/cloud/cloud.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

// Throws ScenarioError if an interruption waits for a file, because the run's guests write none.
void need_no_files(const scenario::Scenario& scenario);

// Changes each pool's capacity at the region's instants, counted from now. The log has a line
// "scenario.interruption" if that interrupts instances. All arguments must outlive the run.
void schedule_capacity(const scenario::Region& region, Simulation& simulation, EventLog& log,
                       cloud::Cloud& cloud);

}  // namespace sim::run
