#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/trace/trace_commands.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/trace_fields.h"

namespace sim::cli {
namespace {

using market::PriceHistory;
using traces::AvailabilityTrace;
using traces::CapacitySeries;
using traces::TraceError;
using traces::TraceFile;

Time last_price(const PriceHistory& history) {
  Time last = Time::min();
  for (const auto& [pool, points] : history.pools)
    if (!points.empty()) last = std::max(last, points.back().at);
  return last;
}

void write(const PriceHistory& history, const ImportTrace& command, Time from, Time to) {
  if (!command.tick.empty()) throw TraceError("--tick: found prices, expected availability");
  const Time last = last_price(history);
  if (from > last)
    throw TraceError(fmt::format("--from: found a time after the last price, expected {} at most",
                                 iso_seconds(last)));
  const PriceHistory cut = between(history, from, to);
  if (cut.pools.empty()) throw TraceError("no prices are left: none match --from and --to");
  for (const auto& [pool, points] : cut.pools)
    if (!market::is_zone(pool.availability_zone) || !market::is_instance_type(pool.instance_type))
      throw TraceError("found prices of " + to_string(pool) +
                       ", expected an instance type and a zone, such as p3.2xlarge/us-west-2b, "
                       "which AWS's format of prices needs");
  traces::write_price_history(cut, command.out);
}

CapacitySeries cut(const CapacitySeries& series, Time from, Time to) {
  CapacitySeries part{.steps = {}, .end = std::min(to, series.end), .prices = {}};
  const Time begin = std::max(from, series.steps.front().at);
  const auto take = [&](const auto& all, auto& kept) {
    for (const auto& point : all) {
      if (point.at >= part.end) break;
      if (point.at <= begin) kept.clear();
      kept.push_back(point);
      kept.back().at = std::max(point.at, begin);
    }
  };
  if (begin < part.end) take(series.steps, part.steps), take(series.prices, part.prices);
  return part;
}

void write(const AvailabilityTrace& trace, const ImportTrace& command, Time from, Time to) {
  AvailabilityTrace part;
  for (const auto& [pool, series] : trace.pools) {
    CapacitySeries kept = cut(series, from, to);
    if (!kept.steps.empty()) part.pools.emplace(pool, std::move(kept));
  }
  if (part.pools.empty()) throw TraceError("no capacity is left: none match --from and --to");
  const Duration tick = command.tick.empty() ? Duration{} : duration_option("--tick", command.tick);
  write_availability(part, tick, command.out);
}

}  // namespace

void write_availability(const AvailabilityTrace& trace, Duration tick,
                        const std::filesystem::path& folder) {
  std::vector<TraceFile> files;
  for (const auto& [pool, series] : trace.pools) {
    const std::string name = traces::market_name(pool);
    if (name.empty() || name.find('/') != name.npos)
      throw TraceError(fmt::format("pool \"{}\": cannot be a file name", to_string(pool)));
    try {
      const Duration each = tick > Duration::zero() ? tick : traces::common_tick(series);
      files.push_back({folder / (name + ".json"), traces::to_capacity_json(series, each)});
    } catch (const TraceError& error) {
      throw TraceError(to_string(pool) + ": " + error.what() + "; --tick sets another");
    }
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw TraceError(folder.string() + ": cannot be made: " + error.message());
  traces::write_trace_files(files);
}

void import_trace(const ImportTrace& command) {
  const Time from = command.from.empty() ? Time::min() : time_option("--from", command.from);
  const Time to = command.to.empty() ? Time::max() : time_option("--to", command.to);
  const Traces traces = read_traces(command.input);
  std::visit([&](const auto& content) { write(content, command, from, to); }, traces.content);
  print_sources(traces);
}

}  // namespace sim::cli
