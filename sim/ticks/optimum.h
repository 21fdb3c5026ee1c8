// The minimum cost of a job if its future had been known. It is computed by exact dynamic
// programming over the window, with the rules of run_ticks() and run_pools(). It is a lower bound
// for every policy.
#pragma once

#include <optional>

#include "sim/ticks/pools.h"

namespace sim::ticks {

// The least cost at which the job ends by its deadline; empty if no schedule does. Like the
// policies, it rents at most one instance at a time.
//
// With checkpoints (TickJob::checkpoint_cost, with any interval) it is the joint optimum of
// checkpointing and acquisition. A clairvoyant job saves once per instance, as the last action on
// it, and never on the last instance. The checkpoint of an instance that is left is owed to the
// next one, as in tick_progress.h.
//
// Billed by the second (TickJob::billing), a spot instance that EC2 interrupts in its first hour is
// free. The clairvoyant job rents instances for that, and must not be done on them. So it saves
// several times, or a notice (with a TickJob::checkpoint_policy) stops it an instant before; the
// instant is at most a step of u. The minimum of a minute is not counted. So the cost is a lower
// bound of every policy's run in time.
//
// The state is (tick t, instance held, time not worked u = t·g − done, owed checkpoint). The unit
// of u is the greatest common divisor of g, d, the moves' times and the checkpoint's cost. A
// changeover is charged to u when the instance starts. Throws std::length_error if that needs more
// than 100 million states or more than some minutes, or if prices are too high for exact doubles.
// Throws std::invalid_argument for billing by the hour.
std::optional<market::Usd> least_cost(const TickJob& job, const SpotWindow& window);

// The same over several pools, with the moves between them. The first instance has no data to move.
std::optional<market::Usd> least_cost(const TickJob& job, const Pools& pools);

struct Optimum {
  market::Usd cost;  // the least
  // The number of spot ticks, the maximum among ways of equal cost. Empty if costs are too large to
  // be counted exactly together with the ticks.
  std::optional<std::int64_t> spot_ticks;
};
std::optional<Optimum> optimum(const TickJob& job, const Pools& pools);

// Throws what least_cost() would throw.
void check_solvable(const TickJob& job, const Pools& pools);

}  // namespace sim::ticks
