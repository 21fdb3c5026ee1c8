// What an availability trace is like: how long capacity lasts and stays away, how well laws of
// lifetimes fit it, how pools move together.
#pragma once

#include <vector>

#include "sim/market/availability.h"

namespace sim::market {

// Times for which a pool had capacity for `instances` (up) and had not (down), in hours. The first
// and the last stretch of a series are left out of these: where they begin or end is unknown.
struct Stretches {
  std::vector<double> up, down;
};
Stretches stretches_of(const CapacitySeries& series, std::int64_t instances);

struct AvailabilityStatistics {
  double hours = 0;                // of the series
  double available = 0;            // share of them
  std::int64_t interruptions = 0;  // ends of capacity
  // Hours with capacity per interruption; 0 when there was none.
  double mean_time_between_interruptions = 0;
};
AvailabilityStatistics statistics_of(const CapacitySeries& series, std::int64_t instances);

// A law of lifetimes fitted to a sample by maximum likelihood, and how far off it is: the
// Kolmogorov-Smirnov distance D and its asymptotic p (optimistic, as the law was fitted to the same
// sample). Shape 1 for the exponential law.
struct Fit {
  double mean = 0, shape = 1;
  double distance = 0, p = 1;
};
// Samples of at least two values above 0, hours.
Fit fit_exponential(const std::vector<double>& sample);
Fit fit_weibull(const std::vector<double>& sample);

// Pearson's correlation of "has capacity" at the instants where both series are defined, every
// `tick`; 0 where one of them never changes there.
double correlation(const CapacitySeries& a, const CapacitySeries& b, std::int64_t instances,
                   Duration tick);

}  // namespace sim::market
