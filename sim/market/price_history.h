// The prices of pools over time.
#pragma once

#include <map>
#include <vector>

#include "sim/kernel/time.h"
#include "sim/market/pool.h"
#include "sim/market/usd.h"

namespace sim::market {

struct PricePoint {
  Time at;
  Usd price;  // an hour, from `at` until the next point
  bool operator==(const PricePoint&) const = default;
};

// A step function per pool. Points are sorted by time, with at most one per instant.
struct PriceHistory {
  std::map<Pool, std::vector<PricePoint>> pools;
  bool operator==(const PriceHistory&) const = default;
};

// The point in force at t, by binary search. Null if t is before the first point.
const PricePoint* in_force(const std::vector<PricePoint>& points, Time t);

// Sorts by time and keeps the last point of each instant.
void put_in_order(std::vector<PricePoint>& points);

// Adds the points of `more`, which replace existing points at the same instant.
void merge(PriceHistory& history, const PriceHistory& more);

// The points in force in [from, to]: for each pool the one in force at `from`, at its own instant,
// and the later ones until `to`. Pools without points are omitted.
PriceHistory between(const PriceHistory& history, Time from, Time to);

}  // namespace sim::market
