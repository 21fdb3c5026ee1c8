// How much spot capacity pools had so far: all that a trace lets a strategy know of what AWS calls
// capacity.
#pragma once

#include <cstdint>
#include <vector>

#include "policies/acquisition/market.h"

namespace policies {

class PoolPast {
 public:
  // Remembers so many ticks; 0: all.
  void begin(std::size_t pools, std::int64_t ticks = 0);
  void observe(const MarketState& state);

  // The mean number of instances to be had in the ticks remembered, this one included.
  double instances(std::size_t pool) const;
  // The share of them with spot capacity, in [0, 1].
  double availability(std::size_t pool) const;

 private:
  struct Sums {
    std::int64_t instances = 0, ticks_there = 0;
  };
  std::int64_t window_ = 0, seen_ = 0;
  std::vector<Sums> sums_;                // by pool
  std::vector<std::int64_t> remembered_;  // a ring of ticks × pools when the window is limited
};

}  // namespace policies
