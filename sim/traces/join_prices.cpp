#include "sim/traces/join_prices.h"

#include "sim/traces/trace_fields.h"

namespace sim::market {
namespace {

const std::vector<PricePoint>& prices_of(const Pool& pool, const PriceHistory& prices) {
  const auto same = prices.pools.find(pool);
  if (same != prices.pools.end()) return same->second;
  const std::vector<PricePoint>* found = nullptr;
  std::string known;
  for (const auto& [other, points] : prices.pools) {
    known += (known.empty() ? "" : ", ") + to_string(other);
    if (other.availability_zone != pool.availability_zone) continue;
    if (found)
      throw TraceError(to_string(pool) +
                       ": found prices of several pools in its zone, expected of "
                       "one, or of its name");
    found = &points;
  }
  if (!found)
    throw TraceError(to_string(pool) + ": found no prices of it nor of its zone, but of " + known);
  return *found;
}

}  // namespace

void join_prices(AvailabilityTrace& trace, const PriceHistory& prices) {
  for (auto& [pool, series] : trace.pools) {
    const Time begin = series.steps.front().at;
    std::vector<PricePoint> points = prices_of(pool, prices);
    if (points.front().at == kEarliestTime)
      for (PricePoint& point : points) point.at += begin - kEarliestTime;
    series.prices.clear();
    for (const PricePoint& point : points) {
      if (point.at >= series.end) break;
      if (point.at <= begin) series.prices.clear();
      if (series.prices.empty() || series.prices.back().price != point.price)
        series.prices.push_back({std::max(point.at, begin), point.price});
    }
    if (series.prices.empty())
      throw TraceError(to_string(pool) + ": its prices begin at " + iso_seconds(points.front().at) +
                       ", expected before its end at " + iso_seconds(series.end));
  }
}

}  // namespace sim::market
