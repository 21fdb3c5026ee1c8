#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/trace_commands.h"
#include "sim/kernel/event_log.h"

namespace sim::cli {
namespace {

using market::PricePoint;
using market::Usd;

struct Summary {
  std::size_t points;
  Time first, last;
  Usd min, mean, max;
};

// Over the time from the first point to the last, to the nearest 10^-9 dollars below.
Usd mean_price(const std::vector<PricePoint>& points) {
  const auto whole = (points.back().at - points.front().at).count();
  if (whole == 0) return points.back().price;
  __int128 sum = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    sum +=
        static_cast<__int128>(points[i - 1].price.nano) * (points[i].at - points[i - 1].at).count();
  return {static_cast<std::int64_t>(sum / whole)};
}

Summary summarize(const std::vector<PricePoint>& points) {
  const auto [least, greatest] = std::minmax_element(
      points.begin(), points.end(), [](const auto& a, const auto& b) { return a.price < b.price; });
  return {points.size(), points.front().at,  points.back().at,
          least->price,  mean_price(points), greatest->price};
}

void print_json(const market::PriceHistory& history) {
  Json pools = Json::array();
  for (const auto& [pool, points] : history.pools) {
    const Summary s = summarize(points);
    pools.push_back({{"instance_type", pool.instance_type},
                     {"availability_zone", pool.availability_zone},
                     {"points", s.points},
                     {"first", iso_seconds(s.first)},
                     {"last", iso_seconds(s.last)},
                     {"min", format_usd(s.min)},
                     {"mean", format_usd(s.mean)},
                     {"max", format_usd(s.max)}});
  }
  fmt::print("{}\n", Json{{"pools", pools}}.dump(2));
}

void print_table(const market::PriceHistory& history) {
  fmt::print("{:<30} {:>7}  {:<20}  {:<20}  {:>8} {:>8} {:>8}\n", "pool", "points", "first", "last",
             "min", "mean", "max");
  for (const auto& [pool, points] : history.pools) {
    const Summary s = summarize(points);
    fmt::print("{:<30} {:>7}  {:<20}  {:<20}  {:>8.4f} {:>8.4f} {:>8.4f}\n", to_string(pool),
               s.points, iso_seconds(s.first), iso_seconds(s.last), s.min.dollars(),
               s.mean.dollars(), s.max.dollars());
  }
}

}  // namespace

void inspect_trace(const InspectTrace& command) {
  const market::PriceHistory history = market::read_price_history(command.file);
  command.json ? print_json(history) : print_table(history);
}

}  // namespace sim::cli
