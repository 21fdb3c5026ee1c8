// market.availability: the number of spot instances that each pool offers, replayed from a trace.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/market/instance_types.h"
#include "sim/scenario/blocks.h"
#include "sim/traces/availability.h"
#include "sim/traces/trace_file.h"

namespace sim::scenario {
namespace {

struct Replay {
  std::string instance_type;           // replaces the trace's name of the type
  std::string trace_type;              // that name, if the trace has several; else empty
  Duration from{};                     // offset into the trace of the run's start
  std::optional<std::int64_t> window;  // for a file of windows
};

// A pool of the trace.
struct Source {
  std::string type;  // name in the trace
  std::string zone;
  const traces::CapacitySeries* series;
};

// A pool in a file of windows has the name TYPE#NUMBER.
constexpr char kBeforeWindow = '#';

std::optional<std::int64_t> window_of(const market::Pool& pool) {
  const std::size_t mark = pool.instance_type.find(kBeforeWindow);
  if (mark == std::string::npos) return {};
  return std::stoll(pool.instance_type.substr(mark + 1));
}

void add_steps(const market::Pool& pool, const traces::CapacitySeries& series, const Replay& replay,
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

// The keys of an entry that are checked together.
struct Entry {
  const Value& file;
  std::optional<Value> window, trace_type;
};

// The trace's pools in the selected window. Empty after an error.
std::vector<Source> in_window(const traces::AvailabilityTrace& trace, const Replay& replay,
                              const Entry& entry) {
  std::vector<Source> sources;
  std::int64_t last = -1;
  for (const auto& [pool, series] : trace.pools) {
    const auto window = window_of(pool);
    last = std::max(last, window.value_or(-1));
    if (window != replay.window) continue;
    sources.push_back({pool.instance_type.substr(0, pool.instance_type.find(kBeforeWindow)),
                       pool.availability_zone, &series});
  }
  if (!sources.empty()) return sources;
  if (!replay.window)
    entry.file.reject(
        fmt::format("found a file of windows, expected also `window`, 0 to {}", last));
  else if (last < 0)
    entry.window->reject("found for a trace that is no file of windows, expected no `window`");
  else
    entry.window->fail(fmt::format("0 to {}, the windows of the file", last));
  return {};
}

// Keeps the pools of the selected type. False after an error.
bool keep_type(std::vector<Source>& sources, const Replay& replay, const Entry& entry) {
  std::set<std::string> types;
  std::map<std::string, std::size_t> pools_of_zone;
  for (const Source& source : sources) {
    types.insert(source.type);
    ++pools_of_zone[source.zone];
  }
  std::string type = replay.trace_type;
  if (type.empty() && types.contains(replay.instance_type)) type = replay.instance_type;
  const bool one_each =
      std::ranges::all_of(pools_of_zone, [](const auto& zone) { return zone.second == 1; });
  if (type.empty() && one_each) return true;
  if (!types.contains(type)) {
    const std::string known = fmt::format("{}", fmt::join(types, ", "));
    if (type.empty())
      entry.file.reject("found several types in a zone, expected also `trace_type`, one of " +
                        known);
    else
      entry.trace_type->fail("one of the trace's types, " + known);
    return false;
  }
  std::erase_if(sources, [&](const Source& source) { return source.type != type; });
  return true;
}

bool replay_pool(const Source& source, const Replay& replay, const Entry& entry, Scenario& s) {
  const market::Pool pool{replay.instance_type, source.zone};
  if (!s.prices.pools.contains(pool)) return false;
  const auto of_pool = [&](const CapacityChange& step) { return step.pool == pool; };
  const Duration length = source.series->end - source.series->steps.front().at;
  if (std::ranges::any_of(s.capacity, of_pool)) {
    entry.file.reject("found capacity of " + to_string(pool) + " twice, expected it once");
  } else if (replay.from > length || length - replay.from < s.limit) {
    entry.file.reject(
        fmt::format("found {} of capacity for {} after `from`, expected capacity until the run's "
                    "limit of {}",
                    format_duration(std::max(Duration{}, length - replay.from)), to_string(pool),
                    format_duration(s.limit)));
  } else {
    add_steps(pool, *source.series, replay, s);
  }
  return true;
}

void replay_trace(const traces::AvailabilityTrace& trace, const Replay& replay, const Entry& entry,
                  Scenario& s) {
  std::vector<Source> sources = in_window(trace, replay, entry);
  if (sources.empty() || !keep_type(sources, replay, entry)) return;
  std::set<market::Pool> named;
  bool found = false;
  for (const Source& source : sources) {
    found |= replay_pool(source, replay, entry, s);
    named.insert({replay.instance_type, source.zone});
  }
  if (found || !prices_are_known(s, entry.file.errors())) return;
  entry.file.reject(
      fmt::format("found capacity of {}, expected of a pool that market.prices has: {}",
                  in_words(named), others_than(*named.begin(), s)));
}

}  // namespace

void read_availability(const Value& block, Scenario& s) {
  Fields fields(block);
  if (!block.is_map()) return;
  Replay replay;
  const auto file = fields.require("file", "an availability trace");
  const auto path = file ? file->text("an availability trace") : std::nullopt;
  const auto type = fields.require("instance_type", "an instance type");
  if (type) replay.instance_type = type->instance_type(*s.instance_types).value_or("");
  if (const auto v = fields.take("from")) replay.from = v->duration().value_or(Duration{});
  const auto window = fields.take("window"), trace_type = fields.take("trace_type");
  if (window) replay.window = window->integer(0, 1'000'000'000);
  if (trace_type) replay.trace_type = trace_type->text("the trace's name for a type").value_or("");
  fields.finish();
  if (!path || replay.instance_type.empty() || (window && !replay.window)) return;
  try {
    replay_trace(traces::read_availability(beside(s, *path)), replay, {*file, window, trace_type},
                 s);
  } catch (const traces::TraceError& error) {
    file->reject(error.what());
  }
}

}  // namespace sim::scenario
