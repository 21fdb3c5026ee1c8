// Synthetic price traces in the style of EC2's market since 2017. A pool's price changes by
// fractions of a percent a few times per day, and no bidding raises it within minutes.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/kernel/time.h"
#include "sim/market/price_history.h"

namespace sim::laws {

struct PricePath {
  market::Pool pool;
  market::Usd base;      // per hour; the price begins here and returns to it; min ≤ base ≤ max
  market::Usd min, max;  // it never leaves these; min ≥ 0.0001, max ≤ 10^6
  Duration change_interval = 6h;        // mean time between changes, at least one minute
  std::int64_t volatility_ppm = 3'000;  // a change's standard deviation, millionths of the base
  // The fraction of the distance from the base that each change removes, in millionths, at most 2 ·
  // 10^6: an AR(1) process. At a tenth the price strays about 2.3 standard deviations of a change.
  std::int64_t reversion_ppm = 100'000;
};

// The path parameters that fit a pool's history: its mean over time, its range, and its mean time
// between changes. Reversion and volatility of the changes are fitted by least squares. Throws
// TraceError if the prices exceed a path's range.
PricePath fitted_path(const market::Pool& pool, const std::vector<market::PricePoint>& points);

struct Synthesis {
  std::vector<PricePath> paths;
  Time from, to;  // whole seconds, from < to
  std::uint64_t seed = 0;
};

// One point at `from`, one at each change and a last one at `to`. Times are whole seconds, prices
// are multiples of $0.0001. Each pool draws from its own stream, so an added pool changes no other.
// All arithmetic on prices uses integers.
market::PriceHistory synthesize(const Synthesis& synthesis);

}  // namespace sim::laws
