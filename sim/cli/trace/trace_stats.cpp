#include <fmt/format.h>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/cli/trace/trace_commands.h"
#include "sim/cli/trace/trace_report.h"
#include "sim/events/event.h"

namespace sim::cli {
namespace {

using market::PriceHistory;
using traces::AvailabilityTrace;

void print_statistics(const AvailabilityTrace& trace, std::int64_t instances) {
  print_heading(fmt::format("{:<34} {:>8} {:>9} {:>6} {:>8} {:>8} {:>8}\n", "pool", "hours",
                            "available", "ends", "MTBF h", "up h", "down h"));
  for (const auto& [pool, series] : trace.pools) {
    const auto s = laws::statistics_of(series, instances);
    fmt::print("{:<34} {:>8.1f} {:>8.2f}% {:>6} {} {} {}\n", to_string(pool), s.hours,
               s.available * 100, s.interruptions,
               in_column(observed(s.mean_time_between_interruptions), 8, 2),
               in_column(observed(s.mean_up), 8, 2), in_column(observed(s.mean_down), 8, 2));
  }
  fmt::print("\n");
  print_fits(trace, instances);
  print_correlations("having capacity", correlations(trace, instances));
}

void print_statistics(const PriceHistory& history, std::int64_t) {
  print_heading(fmt::format("{:<34} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>11}\n", "pool", "points",
                            "days", "p5", "p50", "p95", "mean", "changes/day"));
  for (const auto& [pool, points] : history.pools) {
    const auto s = laws::statistics_of(points);
    fmt::print("{:<34} {:>8} {:>8.1f} {:>8.4f} {:>8.4f} {:>8.4f} {:>8.4f} {}\n", to_string(pool),
               s.points, seconds(s.last - s.first) / 86'400, s.p5.dollars(), s.p50.dollars(),
               s.p95.dollars(), s.mean.dollars(), in_column(changes_a_day(s), 11, 2));
  }
  print_correlations("prices", correlations(history, 1));
}

Json pools_json(const AvailabilityTrace& trace, std::int64_t instances) {
  Json pools = Json::array();
  const std::vector<Json> fits = fits_json(trace, instances);
  for (const auto& [pool, series] : trace.pools) {
    Json json = statistics_json(series, instances);
    json["pool"] = to_string(pool);
    json["fits"] = fits[pools.size()];
    pools.push_back(std::move(json));
  }
  return pools;
}

Json pools_json(const PriceHistory& history, std::int64_t) {
  Json pools = Json::array();
  for (const auto& [pool, points] : history.pools) {
    Json json = statistics_json(points);
    json["pool"] = to_string(pool);
    pools.push_back(std::move(json));
  }
  return pools;
}

}  // namespace

void trace_stats(const TraceStats& command) {
  const Traces traces = read_traces(command.input);
  std::visit(
      [&](const auto& content) {
        if (!command.json) return print_statistics(content, command.instances);
        fmt::print("{}\n", Json{{"pools", pools_json(content, command.instances)},
                                {"correlations",
                                 correlations_json(correlations(content, command.instances))}}
                               .dump(2));
      },
      traces.content);
}

}  // namespace sim::cli
