// What a scenario does to the market and the instances, put on the clock.
#pragma once

#include <memory>
#include <vector>

#include "sim/cloud/cloud.h"
#include "sim/kernel/random.h"
#include "sim/run/foresight.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

// Those who interrupt instances that the cloud tells them of.
using Interrupters = std::vector<std::unique_ptr<cloud::Observer>>;

// Everything, what is returned too, must outlive the run. Each interruption is logged as
// "scenario.interruption" with the instances that it struck. `foresight` is told of those that are
// decided on the way.
Interrupters schedule(const Scenario& scenario, Simulation& simulation, EventLog& log,
                      const Streams& streams, cloud::Cloud& cloud, Foresight& foresight);

}  // namespace sim::run
