#include "sim/laws/price_statistics.h"

#include <algorithm>
#include <cmath>

namespace sim::laws {
namespace {

struct Held {
  market::Usd price;
  std::int64_t time;  // nanoseconds
};

// The time for which each price was in force, by price. The last point has no end, so it counts
// only if it is the only one.
std::vector<Held> held(const std::vector<market::PricePoint>& points) {
  std::vector<Held> all;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    all.push_back({points[i].price, (points[i + 1].at - points[i].at).count()});
  if (all.empty()) all.push_back({points.front().price, 1});
  std::sort(all.begin(), all.end(), [](const Held& a, const Held& b) { return a.price < b.price; });
  return all;
}

market::Usd quantile(const std::vector<Held>& held, std::int64_t whole, std::int64_t percent) {
  __int128 below = 0;
  for (const Held& h : held)
    if ((below += h.time) * 100 >= static_cast<__int128>(whole) * percent) return h.price;
  return held.back().price;
}

// Sums over time of two step functions, from which moments follow.
struct Moments {
  double time = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  void add(double a, double b, double t) {
    time += t, x += a * t, y += b * t, xx += a * a * t, yy += b * b * t, xy += a * b * t;
  }
};

}  // namespace

PriceStatistics statistics_of(const std::vector<market::PricePoint>& points) {
  const std::vector<Held> all = held(points);
  std::int64_t whole = 0, changes = 0;
  __int128 sum = 0;
  for (const Held& h : all) {
    whole += h.time;
    sum += static_cast<__int128>(h.price.nano) * h.time;
  }
  for (std::size_t i = 1; i < points.size(); ++i) changes += points[i].price != points[i - 1].price;
  const auto [least, most] = std::minmax_element(
      points.begin(), points.end(), [](const auto& a, const auto& b) { return a.price < b.price; });
  const double days = seconds(points.back().at - points.front().at) / 86'400;
  return {.points = points.size(),
          .first = points.front().at,
          .last = points.back().at,
          .min = least->price,
          .p5 = quantile(all, whole, 5),
          .p50 = quantile(all, whole, 50),
          .p95 = quantile(all, whole, 95),
          .max = most->price,
          .mean = {static_cast<std::int64_t>(sum / whole)},
          .changes_a_day = days > 0 ? static_cast<double>(changes) / days : 0};
}

std::optional<double> correlation(const std::vector<market::PricePoint>& a,
                                  const std::vector<market::PricePoint>& b) {
  const Time to = std::min(a.back().at, b.back().at);
  Time now = std::max(a.front().at, b.front().at);
  // Measured from the first prices, so that no digits are lost to a common level.
  const double base_a = a.front().price.dollars(), base_b = b.front().price.dollars();
  Moments m;
  for (std::size_t i = 0, j = 0; now < to;) {
    while (i + 1 < a.size() && a[i + 1].at <= now) ++i;
    while (j + 1 < b.size() && b[j + 1].at <= now) ++j;
    const Time next =
        std::min({to, i + 1 < a.size() ? a[i + 1].at : to, j + 1 < b.size() ? b[j + 1].at : to});
    m.add(a[i].price.dollars() - base_a, b[j].price.dollars() - base_b, seconds(next - now));
    now = next;
  }
  const double spread = (m.time * m.xx - m.x * m.x) * (m.time * m.yy - m.y * m.y);
  if (!(spread > 0)) return std::nullopt;
  return (m.time * m.xy - m.x * m.y) / std::sqrt(spread);
}

}  // namespace sim::laws
