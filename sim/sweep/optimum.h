// What a job would cost at least, had its future been known: exact dynamic programmes over the
// window, by the same rules as run_ticks(). Beyond reach, but below every policy.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/sweep/tick_run.h"

namespace sim::sweep {

// The least cost at which the job ends by its deadline; empty when nothing does. Both rent at most
// one instance at a time.
//
// With checkpoints (TickJob::checkpoint_cost, whatever the interval) it is the joint optimum of
// checkpointing and acquisition: who knows the future saves once an instance, as the last thing on
// it, and never on the last one.
//
// State: (tick t, instance held, time not worked u = t·g − done), u in steps of the greatest common
// divisor of g, d and the checkpoint's cost. A changeover is charged to u when the instance starts:
// one so short that it would not last its changeover is never better than idling.
// Throws std::length_error when that step is so small that there are more than 100 million states.
std::optional<market::Usd> least_cost(const TickJob& job, const SpotWindow& window);

// One of several regions with capacity and prices of its own.
struct Region {
  SpotWindow window;
  market::Usd on_demand, spot;  // an hour
};
// egress[from * regions + to]: what it costs to take the checkpoint there, once at each move.
struct Regions {
  std::vector<Region> regions;
  std::vector<market::Usd> egress;
};
// The same over several regions; the job's own prices are not used. The data begins in any region
// at no cost.
std::optional<market::Usd> least_cost(const TickJob& job, const Regions& regions);

}  // namespace sim::sweep
