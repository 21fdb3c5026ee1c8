// The job model of "Can't Be Late" (Wu et al., NSDI'24): one instance at a time, decisions at
// ticks, a changeover at each new instance. A policy's run is a few microseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policies/acquisition/policy.h"
#include "sim/kernel/time.h"
#include "sim/market/instance_bill.h"

namespace sim::sweep {

// Where simulators of this kind differ in what a tick costs and does.
enum class Conventions {
  kOwn,
  // SkyNomad's (sky_spot/env.py and simulate.py of its artifact): nothing that the tick in which
  // the work is done costs is billed, instance, egress and probes alike; the data is where an
  // instance was held last, whether it came to work there or not; a probe of the pool where an
  // instance is held costs nothing, but a spot instance is billed for a probe's time in that tick;
  // work and a changeover that do not fit into the deadline are not run, and cost as much on demand
  // where that is cheapest.
  kSkyNomad,
};

// A job, and the prices of its instances.
struct TickJob {
  Duration work, deadline, changeover, tick;  // C, D, d, g; all above 0 but the changeover
  market::Usd on_demand, spot;                // an hour
  // Checkpoints: after each `checkpoint_interval` of computing the job stands still for
  // `checkpoint_cost`; an interruption loses what was computed since the last one ended, and
  // leaving an instance without interruption takes one. With interval 0 nothing is ever lost.
  Duration checkpoint_interval{}, checkpoint_cost{};
  // Checkpoint policies as policies::CheckpointPolicies reads them, in the place of an interval;
  // empty: none. They are asked after each `step` of computing, a part of an `epoch`, and know what
  // a checkpoint costs. A spot instance gets its notice `notice` before EC2 takes it. It ends its
  // step, saves if the policies want it, and computes nothing more. The policies get a
  // recommendation `rebalance` before.
  std::string checkpoint_policy{};
  Duration step = 1min, epoch = 1h, notice = 2min, rebalance{};
  // What an instance held from one tick to another costs. Empty: each tick at its beginning's
  // price, the last one whole, as the published policies are compared.
  std::optional<market::Billing> billing{};
  Conventions conventions = Conventions::kOwn;
  double deadline_ratio = 0;  // D ÷ C where the work was stated so; else 0
  double gigabytes = 0;       // of data that moves with the job; what it costs is Pools::moves
  // The work that run_pools() passes to strategies: with the time of checkpoints and a margin. The
  // time of checkpoints then counts as work done, as `spotrun submit --strategy` counts it. Zero:
  // strategies get `work`.
  Duration told_work{};
};

// What a look at a pool's capacity is billed for, at its spot price, where it has any: EC2's least.
inline constexpr Duration kProbe = 1min;

// Spot capacity tick by tick, as it was. Beyond its end there is none.
struct SpotWindow {
  // Instances (or gangs) that could be had over [t, t+1), 255 for more; 0: none.
  std::vector<std::uint8_t> available;
  std::vector<market::Usd> prices;  // an hour, in each tick; empty: TickJob::spot
};

struct TickOutcome {
  bool finished = false;   // else the window ended first, with the policy idle
  std::int64_t ticks = 0;  // until then
  std::int64_t on_demand_ticks = 0, spot_ticks = 0;
  Duration on_demand_work{}, spot_work{};  // computed on each; kept or lost
  Duration changeover{}, checkpoint{}, lost{};
  Duration stopped{};  // on an instance after its notice
  Duration surplus{};  // of the last tick, after the work was done
  std::int64_t launches = 0, interruptions = 0;
  std::int64_t probes = 0;  // that found capacity
  market::Usd egress;       // for data that left its pool
  market::Usd cost;         // of all instances and probes, and egress
  bool operator==(const TickOutcome&) const = default;
};

// Runs the policy through the window from its begin(). Work counts as done when at most a
// millisecond of it is left.
TickOutcome run_ticks(const TickJob& job, const SpotWindow& window,
                      policies::AcquisitionPolicy& policy, bool oracle);

// The values that policies get.
policies::AcquisitionJob told(const TickJob& job);

}  // namespace sim::sweep
