// What a price history is like, and how pools move together.
#pragma once

#include <optional>
#include <vector>

#include "sim/market/price_history.h"

namespace sim::market {

struct PriceStatistics {
  std::size_t points = 0;
  Time first, last;
  // Over the time from the first point to the last; a quantile is the least price below or at which
  // the pool was for that share of it. The mean is cut off at 10^-9 dollars.
  Usd min, p5, p50, p95, max, mean;
  double changes_a_day = 0;
};
// A pool's points, at least one.
PriceStatistics statistics_of(const std::vector<PricePoint>& points);

// Pearson's correlation of two prices over the time in which both are known, exactly; empty
// where one of them never changes there.
std::optional<double> correlation(const std::vector<PricePoint>& a,
                                  const std::vector<PricePoint>& b);

}  // namespace sim::market
