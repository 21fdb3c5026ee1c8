// The project's own price traces: paths in the style of EC2's market since 2017, where a pool's
// price drifts by fractions of a percent a few times a day and is never bid up in minutes.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/kernel/time.h"
#include "sim/market/price_history.h"

namespace sim::market {

struct PricePath {
  Pool pool;
  Usd base;      // where the price begins and returns to, an hour; min ≤ base ≤ max
  Usd min, max;  // it never leaves these; min ≥ 0.0001, max ≤ 10^6
  Duration change_interval = 6h;        // mean time between changes, at least a minute
  std::int64_t volatility_ppm = 3'000;  // a change's standard deviation, millionths of the base
  // What a change takes back of the distance from the base, in millionths, at most 2 · 10^6: an
  // AR(1) process, which at a tenth strays about 2.3 standard deviations of a change.
  std::int64_t reversion_ppm = 100'000;
};

// The path that a pool's history looks like: its mean over time, its range, its mean time between
// changes, and the reversion and volatility of its changes by least squares. Throws TraceError
// where its prices leave a path's range.
PricePath fitted_path(const Pool& pool, const std::vector<PricePoint>& points);

struct Synthesis {
  std::vector<PricePath> paths;
  Time from, to;  // whole seconds, from < to
  std::uint64_t seed = 0;
};

// A point at `from`, one at each change and a last one at `to`. Times are whole seconds, prices
// multiples of $0.0001. Each pool draws from a stream of its own, so a pool added moves no other;
// all arithmetic on prices is in integers.
PriceHistory synthesize(const Synthesis& synthesis);

}  // namespace sim::market
