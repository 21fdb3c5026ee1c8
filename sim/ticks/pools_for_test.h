// Tests only: pools and runs over them, in a line each.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/ticks/pools.h"
#include "sim/ticks/windows_for_test.h"

namespace sim::ticks {

// Capacity tick by tick, "1101", and a price; 0: the job's.
inline PoolWindow pool(const std::string& name, const std::string& ticks, std::int64_t cents = 0) {
  return {.name = name,
          .spot = {.available = written_capacity(ticks)},
          .spot_price = {cents * 10'000'000}};
}

inline Pools pools(std::vector<PoolWindow> all, const MoveCosts& costs = {}) {
  auto moves = moves_between(all, costs);
  return {std::move(all), std::move(moves)};
}

inline TickOutcome run_strategy(const TickJob& job, const Pools& all, std::string_view text) {
  const auto named = policies::make_strategy(text);
  return run_pools(job, all, *named.strategy, named.oracle);
}

}  // namespace sim::ticks
