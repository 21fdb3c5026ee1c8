// What a price history is like, and how pools move together.
#pragma once

#include <optional>
#include <vector>

#include "sim/market/price_history.h"

namespace sim::laws {

struct PriceStatistics {
  std::size_t points = 0;
  Time first, last;
  // Statistics over the time from the first point to the last. A quantile is the least price that
  // the pool did not exceed for that share of the time. The mean is cut off at 10^-9 dollars.
  market::Usd min, p5, p50, p95, max, mean;
  double changes_a_day = 0;
};
// The statistics of a pool's points; needs at least one.
PriceStatistics statistics_of(const std::vector<market::PricePoint>& points);

// Pearson's correlation of two prices over the time in which both are known, exactly. Empty if a
// price never changes in that time.
std::optional<double> correlation(const std::vector<market::PricePoint>& a,
                                  const std::vector<market::PricePoint>& b);

}  // namespace sim::laws
