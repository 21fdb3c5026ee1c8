// What a scenario does to the market, put on the clock.
#pragma once

#include "sim/cloud/cloud.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

// Throws ScenarioError when an interruption waits for a file: these guests have none.
void need_no_files(const Scenario& scenario);

// Each pool has its capacity from the scenario's instants on. Spot instances that are reclaimed are
// a "scenario.interruption" in the log. Everything must outlive the run.
void schedule_capacity(const Scenario& scenario, Simulation& simulation, EventLog& log,
                       cloud::Cloud& cloud);

}  // namespace sim::run
