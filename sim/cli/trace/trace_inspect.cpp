#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/cli/trace/trace_commands.h"
#include "sim/events/event.h"
#include "sim/events/event_log.h"
#include "sim/laws/price_statistics.h"

namespace sim::cli {
namespace {

using market::PriceHistory;
using traces::AvailabilityTrace;
using traces::CapacitySeries;
using traces::CapacityStep;

auto least_and_most(const CapacitySeries& series) {
  const auto [least, most] = std::minmax_element(
      series.steps.begin(), series.steps.end(),
      [](const CapacityStep& a, const CapacityStep& b) { return a.instances < b.instances; });
  return std::pair{least->instances, most->instances};
}

Json inspected_pools_json(const PriceHistory& history) {
  Json pools = Json::array();
  for (const auto& [pool, points] : history.pools) {
    const laws::PriceStatistics s = laws::statistics_of(points);
    pools.push_back({{"instance_type", pool.instance_type},
                     {"availability_zone", pool.availability_zone},
                     {"points", s.points},
                     {"first", iso_seconds(s.first)},
                     {"last", iso_seconds(s.last)},
                     {"min", format_usd(s.min)},
                     {"mean", format_usd(s.mean)},
                     {"max", format_usd(s.max)}});
  }
  return pools;
}

Json inspected_pools_json(const AvailabilityTrace& trace) {
  Json pools = Json::array();
  for (const auto& [pool, series] : trace.pools) {
    const auto [least, most] = least_and_most(series);
    pools.push_back({{"instance_type", pool.instance_type},
                     {"availability_zone", pool.availability_zone},
                     {"steps", series.steps.size()},
                     {"first", iso_seconds(series.steps.front().at)},
                     {"end", iso_seconds(series.end)},
                     {"min", least},
                     {"max", most},
                     {"prices", series.prices.size()}});
  }
  return pools;
}

void print_pools(const PriceHistory& history) {
  print_heading(fmt::format("{:<30} {:>7}  {:<20}  {:<20}  {:>8} {:>8} {:>8}\n", "pool", "points",
                            "first", "last", "min", "mean", "max"));
  for (const auto& [pool, points] : history.pools) {
    const laws::PriceStatistics s = laws::statistics_of(points);
    fmt::print("{:<30} {:>7}  {:<20}  {:<20}  {:>8.4f} {:>8.4f} {:>8.4f}\n", to_string(pool),
               s.points, iso_seconds(s.first), iso_seconds(s.last), s.min.dollars(),
               s.mean.dollars(), s.max.dollars());
  }
}

void print_pools(const AvailabilityTrace& trace) {
  print_heading(fmt::format("{:<34} {:>7}  {:<20}  {:<20}  {:>5} {:>5} {:>7}\n", "pool", "steps",
                            "first", "end", "min", "max", "prices"));
  for (const auto& [pool, series] : trace.pools) {
    const auto [least, most] = least_and_most(series);
    fmt::print("{:<34} {:>7}  {:<20}  {:<20}  {:>5} {:>5} {:>7}\n", to_string(pool),
               series.steps.size(), iso_seconds(series.steps.front().at), iso_seconds(series.end),
               least, most, series.prices.size());
  }
}

}  // namespace

void print_sources(const Traces& traces) {
  for (const Source& source : traces.sources)
    fmt::print("{}: {}: {}\n", source.file.string(), source.format, source.meaning);
}

void inspect_trace(const InspectTrace& command) {
  const Traces traces = read_traces(command.input);
  if (!command.json) {
    print_sources(traces);
    return std::visit([](const auto& content) { print_pools(content); }, traces.content);
  }
  Json files = Json::array();
  for (const Source& source : traces.sources)
    files.push_back(
        {{"file", source.file.string()}, {"format", source.format}, {"meaning", source.meaning}});
  const Json pools =
      std::visit([](const auto& content) { return inspected_pools_json(content); }, traces.content);
  fmt::print("{}\n", Json{{"files", files}, {"pools", pools}}.dump(2));
}

}  // namespace sim::cli
