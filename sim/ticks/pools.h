// Several pools that a job can choose from, side by side over the same ticks.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "policies/acquisition/strategy.h"
#include "sim/ticks/pools.h"
#include "sim/ticks/tick_run.h"

namespace sim::ticks {

// The name, the prices and the spot capacity of one pool in a window.
struct PoolWindow {
  std::string name;  // "us-east-1a"
  SpotWindow spot;
  // Prices an hour; 0: the job's. Spot prices of the trace take precedence over both.
  market::Usd on_demand{}, spot_price{};
  std::string instance_type{};  // if known; it changes no result
};

// A move of the job's data to another pool: its cost, and the time for which an instance there
// waits before its changeover. The data moves when an instance is ready, so an interrupted move is
// paid for and repeated.
struct PoolMove {
  market::Usd egress;
  Duration time{};
  bool operator==(const PoolMove&) const = default;
};

// The pools of a window and the moves between each two of them. All windows have the same ticks.
struct Pools {
  std::vector<PoolWindow> pools;
  // moves[from * pools.size() + to]; no detour is cheaper or quicker than the direct way.
  std::vector<PoolMove> moves;

  const PoolMove& move(std::size_t from, std::size_t to) const {
    return moves[from * pools.size() + to];
  }
  Duration longest_move() const;
};

// The cost of moving data within a region (us-east-1a to us-east-1b) and between two regions. The
// latter is at least as high.
struct MoveCosts {
  PoolMove between_zones, between_regions;
  std::map<std::pair<std::string, std::string>, PoolMove> pairs{};  // of regions, from and to

  double gigabytes = 0;  // of moved data, if known

  bool cost_anything() const { return between_regions != PoolMove{} || !pairs.empty(); }
};
// The moves between pools, by their names: a name without its last letters is its region's.
std::vector<PoolMove> moves_between(const std::vector<PoolWindow>& pools, const MoveCosts& costs);
// False if a detour over a third pool is cheaper or quicker than the direct move.
bool direct_is_best(const Pools& pools);

// The spot price an hour in tick t, which is below the window's length.
market::Usd spot_price(const PoolWindow& pool, const TickJob& job, std::size_t t);
market::Usd on_demand_price(const PoolWindow& pool, const TickJob& job);

// Runs a strategy through the pools' windows, from the begin of each. The job model is that of
// tick_run.h. The strategy chooses the pool and the maximum price.
//
// A spot instance ends at the first tick in which its pool has no capacity or costs more than the
// bid. Once the job has data, an instance in a pool without the data first waits for the move. An
// oracle gets the time for which each pool's capacity will last. Over one pool at the job's prices
// the result is that of run_ticks().
TickOutcome run_pools(const TickJob& job, const Pools& pools, policies::Strategy& strategy,
                      bool oracle);

}  // namespace sim::ticks
