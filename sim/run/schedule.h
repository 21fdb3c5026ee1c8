// What a scenario does to the market and the instances, put on the clock.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sim/cloud/cloud.h"
#include "sim/guest/file_cut.h"
#include "sim/kernel/random.h"
#include "sim/run/foresight.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

// Those who interrupt instances that the cloud tells them of.
using Interrupters = std::vector<std::unique_ptr<cloud::Observer>>;

// For `Interruption::during`, where guests have files; empty elsewhere.
using CutPowerAt = std::function<void(const cloud::InstanceId&, guest::FileCut)>;
// Throws ScenarioError when an interruption waits for a file: these guests have none.
void need_no_files(const Scenario& scenario);

// How many instances each of the scenario's interruptions has struck, in their order.
using StrikeCounts = std::vector<std::int64_t>;

// Everything, what is returned too, must outlive the run. Each interruption is logged as
// "scenario.interruption" with the instances that it struck. `foresight` is told of those that are
// decided on the way.
Interrupters schedule(const Scenario& scenario, Simulation& simulation, EventLog& log,
                      const Streams& streams, cloud::Cloud& cloud, Foresight& foresight,
                      StrikeCounts& struck, CutPowerAt cut_power_at = {});

}  // namespace sim::run
