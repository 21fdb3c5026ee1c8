// The job model of tick_run.h over several pools: a strategy says in which to rent and at which
// maximum price.
#pragma once

#include "policies/acquisition/strategy.h"
#include "sim/ticks/pools.h"

namespace sim::sweep {

// Runs the strategy through the pools' windows from its begin(). A spot instance ends at the first
// tick in which its pool has no capacity or costs more than its bid. An instance in a pool where
// the data is not, once there is any, waits for its move first. An oracle is told how long each
// pool's capacity will last. Over one pool with the job's prices it is run_ticks().
TickOutcome run_pools(const TickJob& job, const Pools& pools, policies::Strategy& strategy,
                      bool oracle);

}  // namespace sim::sweep
