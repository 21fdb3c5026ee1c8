// The job model of "Can't Be Late" (Wu et al., NSDI'24): one instance at a time, decisions at
// ticks, and a changeover at each new instance. A run of a policy takes a few microseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policies/acquisition/policy.h"
#include "sim/kernel/time.h"
#include "sim/market/instance_bill.h"

namespace sim::ticks {

// Simulators of this kind differ in the costs and effects of a tick.
enum class Conventions {
  kOwn,
  // The conventions of SkyNomad's artifact (sky_spot/env.py and simulate.py):
  //
  // - The tick in which the work is done costs nothing: no instance, no egress, no probe.
  // - The data is where an instance was held last, even if it did not work there.
  // - A probe of the pool with the held instance costs nothing, but a spot instance is billed for a
  //   probe's time in that tick.
  // - Work and a changeover that exceed the deadline are not run. They cost as much as on-demand in
  //   the cheapest pool.
  kSkyNomad,
};

// A job, and the prices of its instances.
struct TickJob {
  Duration work, deadline, changeover, tick;  // C, D, d, g; all above 0 but the changeover
  market::Usd on_demand, spot;                // an hour
  // After each `checkpoint_interval` of computing the job pauses for `checkpoint_cost`. An
  // interruption loses the work since the last checkpoint's end, and leaving an instance without
  // interruption takes a checkpoint. With interval 0 nothing is ever lost.
  Duration checkpoint_interval{}, checkpoint_cost{};
  // Checkpoint policies for policies::CheckpointPolicies instead of an interval; empty: none. They
  // are asked after each `step` of computing, a part of an `epoch`, and know a checkpoint's cost. A
  // spot instance gets its notice `notice` before EC2 interrupts it. After the notice the instance
  // ends its step, saves if the policies request a save, and computes no more. The policies get a
  // recommendation `rebalance` before the interruption.
  std::string checkpoint_policy{};
  Duration step = 1min, epoch = 1h, notice = 2min, rebalance{};
  // The billing of an instance held between two ticks. Empty: each tick at the price of its
  // beginning, and the last one in full, which is the convention of published comparisons.
  std::optional<market::Billing> billing{};
  Conventions conventions = Conventions::kOwn;
  double deadline_ratio = 0;  // D ÷ C if the user stated the work as this ratio; else 0
  double gigabytes = 0;       // of data that moves with the job; Pools::moves has the cost
  // The work that run_pools() passes to strategies: with the time of checkpoints and a margin. The
  // time of checkpoints then counts as work done, as `spotrun submit --strategy` counts it. Zero:
  // strategies get `work`.
  Duration told_work{};
};

// The billed time of a probe, at the pool's spot price if it has capacity: EC2's minimum.
inline constexpr Duration kProbe = 1min;

// Spot capacity tick by tick. After its end there is none.
struct SpotWindow {
  // Available instances (or gangs) over [t, t+1), 255 for more; 0: none.
  std::vector<std::uint8_t> available;
  std::vector<market::Usd> prices;  // an hour, in each tick; empty: TickJob::spot
};

// The result of a run: times and costs by their use.
struct TickOutcome {
  bool finished = false;   // false: the window ended first, with the policy idle
  std::int64_t ticks = 0;  // until then
  std::int64_t on_demand_ticks = 0, spot_ticks = 0;
  Duration on_demand_work{}, spot_work{};  // computed on each; kept or lost
  Duration changeover{}, checkpoint{}, lost{};
  Duration stopped{};  // on an instance after its notice
  Duration surplus{};  // of the last tick, after the work was done
  std::int64_t launches = 0, interruptions = 0;
  std::int64_t probes = 0;  // probes that found capacity
  market::Usd egress;       // for data that left its pool
  market::Usd cost;         // of all instances and probes, and egress
  bool operator==(const TickOutcome&) const = default;
};

// Runs the policy through the window from its begin(). The work is done when at most a millisecond
// of it remains.
TickOutcome run_ticks(const TickJob& job, const SpotWindow& window,
                      policies::AcquisitionPolicy& policy, bool oracle);

// The job as policies see it.
policies::AcquisitionJob told(const TickJob& job);

}  // namespace sim::ticks
