// What a job would cost at least, had its future been known: exact dynamic programmes over the
// window, by the same rules as run_ticks() and run_pools(). Beyond reach, but below every policy.
#pragma once

#include <optional>

#include "sim/ticks/pools.h"

namespace sim::sweep {

// The least cost at which the job ends by its deadline; empty when nothing does. Both rent at most
// one instance at a time.
//
// With checkpoints (TickJob::checkpoint_cost, whatever the interval) it is the joint optimum of
// checkpointing and acquisition: who knows the future saves once an instance, as the last thing on
// it, and never on the last one.
//
// Billed by the second (TickJob::billing), a spot instance that EC2 takes in its first hour is
// free, and who knows the future rents it for that. The minimum of a minute is left out, so that
// with it the optimum is a bound.
//
// State: (tick t, instance held, time not worked u = t·g − done), u in steps of the greatest common
// divisor of g, d, the moves' times and the checkpoint's cost. A changeover is charged to u when
// the instance starts: one so short that it would not last its changeover is never better than
// idling. Throws std::length_error when that step is so small that there are more than 100 million
// states, when ticks are so many that it would take longer than some minutes, and when prices are
// too high for exact doubles; and std::invalid_argument for billing by the hour.
std::optional<market::Usd> least_cost(const TickJob& job, const SpotWindow& window);

// The same over several pools, with the moves between them. The data begins in any of them.
std::optional<market::Usd> least_cost(const TickJob& job, const Pools& pools);

struct Optimum {
  market::Usd cost;  // the least
  // How many ticks of spot it takes, the most where several ways cost the same. Empty where costs
  // are too large to be counted in exact doubles together with the ticks.
  std::optional<std::int64_t> spot_ticks;
};
std::optional<Optimum> optimum(const TickJob& job, const Pools& pools);

// Throws what least_cost() would throw.
void check_solvable(const TickJob& job, const Pools& pools);

}  // namespace sim::sweep
