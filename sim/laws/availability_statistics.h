// What an availability trace is like: how long capacity lasts and stays away, how pools move
// together.
#pragma once

#include <optional>
#include <vector>

#include "sim/laws/lifetime_law.h"
#include "sim/traces/availability.h"

namespace sim::laws {

// The times for which a pool had capacity for `instances` (up) and did not (down). The first and
// the last stretch of a series are cut: their begin or end is unknown.
struct Stretches {
  LifetimeSample up, down;
};
Stretches stretches_of(const traces::CapacitySeries& series, std::int64_t instances);

struct AvailabilityStatistics {
  double hours = 0;                // of the series
  double available = 0;            // share of the instants with capacity
  std::int64_t interruptions = 0;  // ends of capacity
  // Hours with capacity per interruption; 0 when there was none.
  double mean_time_between_interruptions = 0;
  double mean_up = 0, mean_down = 0;  // hours, of complete stretches; 0 without one
};
AvailabilityStatistics statistics_of(const traces::CapacitySeries& series, std::int64_t instances);

// Pearson's correlation of "has capacity" at the instants where both series are defined, every
// `tick`. Empty if one series never changes there.
std::optional<double> correlation(const traces::CapacitySeries& a, const traces::CapacitySeries& b,
                                  std::int64_t instances, Duration tick);

}  // namespace sim::laws
