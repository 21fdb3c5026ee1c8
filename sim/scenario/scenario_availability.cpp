// market.availability: how many instances a pool has to give, replayed from a trace.
#include <fmt/format.h>

#include <algorithm>

#include "sim/market/instance_types.h"
#include "sim/scenario/scenario_parts.h"
#include "sim/traces/availability.h"
#include "sim/traces/trace_file.h"

namespace sim::run {
namespace {

struct Replay {
  std::string instance_type;           // takes the place of the trace's own name for it
  Duration from{};                     // this far into the trace the run starts
  std::optional<std::int64_t> window;  // of a file of windows
};

// A pool of a file of windows is called TYPE#NUMBER.
std::optional<std::int64_t> window_of(const market::Pool& pool) {
  const std::size_t hash = pool.instance_type.find('#');
  if (hash == std::string::npos) return {};
  return std::stoll(pool.instance_type.substr(hash + 1));
}

void add_steps(const market::Pool& pool, const market::CapacitySeries& series, const Replay& replay,
               Scenario& s) {
  const Time start = series.steps.front().at + replay.from;
  int at_start = 0;
  for (const auto& step : series.steps) {
    const auto slots = static_cast<int>(std::min<std::int64_t>(step.instances, kMostSlots));
    if (step.at <= start) at_start = slots;
  }
  s.capacity.push_back({pool, Duration{}, at_start, true});
  for (const auto& step : series.steps) {
    if (step.at <= start || step.at - start > s.limit) continue;
    const auto slots = static_cast<int>(std::min<std::int64_t>(step.instances, kMostSlots));
    s.capacity.push_back({pool, step.at - start, slots, true});
  }
}

void replay_pools(const market::AvailabilityTrace& trace, const Replay& replay, const Value& file,
                  Scenario& s) {
  bool found = false;
  for (const auto& [name, series] : trace.pools) {
    const auto window = window_of(name);
    if (window && !replay.window) return file.fail("a file of windows needs `window`, a number");
    if (window != replay.window) continue;
    const market::Pool pool{replay.instance_type, name.availability_zone};
    if (!s.prices.pools.count(pool)) continue;
    found = true;
    const auto of_pool = [&](const CapacityStep& step) { return step.pool == pool; };
    if (std::any_of(s.capacity.begin(), s.capacity.end(), of_pool)) {
      return file.reject("found capacity of " + to_string(pool) + " twice, expected it once");
    }
    const Duration length = series.end - series.steps.front().at;
    if (replay.from > length || length - replay.from < s.limit) {
      return file.reject(
          fmt::format("found {} of {} from there on, expected capacity until the run's limit of {}",
                      format_duration(std::max(Duration{}, length - replay.from)), to_string(pool),
                      format_duration(s.limit)));
    }
    add_steps(pool, series, replay, s);
  }
  if (!found) {
    file.reject("found no pool of " + replay.instance_type +
                " that market.prices has, expected one at least");
  }
}

}  // namespace

void read_availability(const Value& entry, Scenario& s) {
  Fields fields(entry);
  if (!entry.is_map()) return;
  Replay replay;
  const auto file = fields.require("file", "an availability trace");
  const auto path = file ? file->text("an availability trace") : std::nullopt;
  const auto type = fields.require("instance_type", "an instance type");
  if (type) replay.instance_type = type->text("an instance type").value_or("");
  if (const auto v = fields.take("from")) replay.from = v->duration().value_or(Duration{});
  if (const auto v = fields.take("window")) replay.window = v->integer(0, 1'000'000'000);
  fields.finish();
  if (!path || replay.instance_type.empty()) return;
  if (!market::find_instance_type(replay.instance_type)) {
    return type->fail("an instance type that spotsim knows");
  }
  try {
    replay_pools(market::read_availability(beside(s, *path)), replay, *file, s);
  } catch (const market::TraceError& error) {
    file->reject(error.what());
  }
}

}  // namespace sim::run
