#include "sim/market/price_history.h"

#include <algorithm>

namespace sim::market {

void put_in_order(std::vector<PricePoint>& points) {
  const auto not_after = [](const PricePoint& a, const PricePoint& b) { return a.at >= b.at; };
  if (std::adjacent_find(points.begin(), points.end(), not_after) == points.end()) return;
  std::stable_sort(points.begin(), points.end(),
                   [](const PricePoint& a, const PricePoint& b) { return a.at < b.at; });
  const auto same_time = [](const PricePoint& a, const PricePoint& b) { return a.at == b.at; };
  const auto first = std::unique(points.rbegin(), points.rend(), same_time);
  points.erase(points.begin(), first.base());
}

void merge(PriceHistory& history, const PriceHistory& more) {
  for (const auto& [pool, points] : more.pools) {
    auto& all = history.pools[pool];
    all.insert(all.end(), points.begin(), points.end());
    put_in_order(all);
  }
}

const PricePoint* in_force(const std::vector<PricePoint>& points, Time t) {
  const auto later = std::upper_bound(points.begin(), points.end(), t,
                                      [](Time at, const PricePoint& p) { return at < p.at; });
  return later == points.begin() ? nullptr : &*std::prev(later);
}

PriceHistory between(const PriceHistory& history, Time from, Time to) {
  PriceHistory cut;
  for (const auto& [pool, points] : history.pools) {
    const auto later = [](Time at, const PricePoint& p) { return at < p.at; };
    auto first = std::upper_bound(points.begin(), points.end(), from, later);
    if (first != points.begin()) --first;
    const auto last = std::upper_bound(first, points.end(), to, later);
    if (first != last) cut.pools[pool] = {first, last};
  }
  return cut;
}

}  // namespace sim::market
