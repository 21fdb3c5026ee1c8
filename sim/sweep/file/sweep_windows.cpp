#include "sim/sweep/file/sweep_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "sim/sweep/file/sweep_checks.h"
#include "sim/sweep/file/sweep_file_parts.h"
#include "sim/sweep/file/sweep_on_demand.h"
#include "sim/traces/availability.h"
#include "sim/traces/trace.h"
#include "sim/traces/trace_file.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kShared = "$SPOTSIM_SHARED/";
constexpr std::size_t kMostPools = 100;           // limit for one window
constexpr std::int64_t kMostTicks = 200'000'000;  // limit for all windows and pools

// The number of ticks of all windows of a pool with a trace of this length.
std::int64_t ticks_of(const ticks::Cut& cut, Duration whole) {
  if (cut.length <= Duration::zero()) return whole / cut.tick;
  const std::int64_t count = !cut.starts.empty() ? std::ssize(cut.starts)
                             : cut.every > Duration::zero()
                                 ? std::max<std::int64_t>((whole - cut.length) / cut.every + 1, 0)
                                 : cut.count;
  return count * (cut.length / cut.tick);
}

bool too_many(const scenario::Value& value, std::int64_t ticks) {
  if (ticks <= kMostTicks) return false;
  value.reject(fmt::format("found {} ticks of all windows and pools, expected at most {}", ticks,
                           kMostTicks));
  return true;
}

// Resolves a path relative to the sweep's folder. $SPOTSIM_SHARED/ is the folder in that variable,
// else ../shared beside the repository of the sweep. Throws TraceError if the file does not exist
// there.
fs::path trace_path(const std::string& text, const fs::path& sweep) {
  if (!text.starts_with(kShared)) return sweep.parent_path() / text;
  const char* const shared = std::getenv("SPOTSIM_SHARED");
  const fs::path folder = shared ? fs::path(shared) : sweep.parent_path() / "../../../shared";
  const fs::path file = (folder / text.substr(kShared.size())).lexically_normal();
  if (!fs::exists(file))
    throw traces::TraceError(fmt::format(
        "{}: cannot be opened: No such file or directory. The environment variable SPOTSIM_SHARED "
        "names the folder with the real traces ({}); the sweeps in scenarios/sweeps need none",
        file.string(), shared ? "found " + std::string(shared) : "it is not set"));
  return file;
}

struct ReadTrace {
  traces::AvailabilityTrace pools;
  bool prices = false;                // the trace has prices of its own, or they were joined
  bool history = false;               // the trace has only prices
  std::vector<market::Pool> order{};  // its pools in the selected order
};

// Adds the warnings about a file once, even if several entries name it.
traces::Trace trace_of(const std::string& path, const WindowNeeds& needs) {
  traces::Trace trace = traces::read_trace(trace_path(path, needs.sweep));
  if (needs.odd_traces)
    for (const std::string& warning : trace.warnings)
      if (std::ranges::find(*needs.odd_traces, warning) == needs.odd_traces->end())
        needs.odd_traces->push_back(warning);
  return trace;
}

ReadTrace read_trace(const std::string& path, const WindowNeeds& needs) {
  traces::Trace trace = trace_of(path, needs);
  if (const auto* history = std::get_if<market::PriceHistory>(&trace.content))
    return {ticks::always_there(*history), true, true};
  return {std::get<traces::AvailabilityTrace>(std::move(trace.content))};
}

void join_prices_of(ReadTrace& trace, const scenario::Value& prices, const WindowNeeds& needs) {
  const auto text = prices.text("a price trace's path");
  if (!text) return;
  try {
    const traces::Trace more = trace_of(*text, needs);
    const auto* history = std::get_if<market::PriceHistory>(&more.content);
    if (trace.prices || !history)
      return prices.fail("a trace of prices, in addition to one of availability");
    traces::join_prices(trace.pools, *history);
    trace.prices = true;
  } catch (const traces::TraceError& error) {
    prices.reject(error.what());
  }
}

// A file in an entry or in an item of `pools`: a path or a mapping.
struct PoolsOfFile {
  std::optional<scenario::Value> file{};
  std::string path{};
  std::optional<scenario::Value> select{};  // list of pools' names; empty: all pools of the file
  OnDemandPrices on_demand{};
  std::optional<scenario::Value> prices{};
};

PoolsOfFile take_file(scenario::Fields& fields) {
  const std::string expected = "a trace's path";
  PoolsOfFile item;
  item.file = fields.require("file", expected);
  if (item.file) item.path = item.file->text(expected).value_or("");
  item.select = fields.take("select");
  item.on_demand = OnDemandPrices(fields);
  item.prices = fields.take("prices");
  return item;
}

// Keeps the pools that the item selects.
void select_pools(ReadTrace& trace, const PoolsOfFile& item) {
  const traces::AvailabilityTrace all = std::exchange(trace.pools, {});
  if (!item.select) {
    for (const auto& [pool, series] : all.pools) trace.order.push_back(pool);
    trace.pools = all;
    return;
  }
  for (const scenario::Value& name :
       item.select->list("a list of pools such as p3.2xlarge/us-west-2b")) {
    const auto text = name.text("a pool such as p3.2xlarge/us-west-2b");
    if (!text) continue;
    const auto found = std::ranges::find_if(
        all.pools, [&](const auto& entry) { return to_string(entry.first) == *text; });
    if (found != all.pools.end()) {
      trace.pools.pools.insert(*found);
      trace.order.push_back(found->first);
      continue;
    }
    std::string known;
    for (const auto& [pool, series] : all.pools)
      known += (known.empty() ? "" : ", ") + to_string(pool);
    name.fail("a pool of " + item.path + ": " + known);
  }
}

// A file of prices names its types, and these have different on-demand prices.
void check_types(const ReadTrace& trace, const PoolsOfFile& item) {
  std::set<std::string> types;
  for (const auto& [pool, series] : trace.pools.pools) types.insert(pool.instance_type);
  if (!trace.history || types.size() < 2 || item.on_demand.by_type()) return;
  item.file->reject(fmt::format(
      "found prices of {} instance types ({}, {} …) at one on-demand price, expected `on_demand: "
      "listed` (what `spotsim types` says), prices by type such as {{{}: 0.10}}, or a `select` of "
      "one type's pools",
      types.size(), *types.begin(), *std::next(types.begin()), *types.begin()));
}

// The pools of an item with their prices. Empty after an error.
std::optional<ReadTrace> read_pools(const PoolsOfFile& item, const WindowNeeds& needs) {
  if (item.path.empty()) return std::nullopt;
  try {
    ReadTrace trace = read_trace(item.path, needs);
    if (item.prices) join_prices_of(trace, *item.prices, needs);
    select_pools(trace, item);
    check_types(trace, item);
    return trace;
  } catch (const traces::TraceError& error) {
    item.file->reject(error.what());
    return std::nullopt;
  }
}

// A multiple of the tick. The tick is zero after an error.
Duration at_tick(const scenario::Value& value, Duration tick, Duration least) {
  const Duration at = value.duration("a duration such as 92h").value_or(least);
  const bool whole = tick <= Duration::zero() || at % tick == Duration::zero();
  if (at < least || !whole)
    value.fail(fmt::format("a multiple of the job's tick, {}, of at least {}",
                           format_duration(tick), format_duration(least)));
  return std::max(at, least);
}

// `starts` or `every`, instead of `count` and `seed`.
void take_starts(scenario::Fields& fields, ticks::Cut& cut) {
  const auto starts = fields.take("starts");
  const auto every = fields.take("every");
  if (starts)
    for (const scenario::Value& start :
         starts->list("a list of times from the trace's beginning on"))
      cut.starts.push_back(at_tick(start, cut.tick, Duration::zero()));
  if (every) cut.every = at_tick(*every, cut.tick, std::max(cut.tick, Duration{1}));
  if (!starts && !every) return;
  if (starts && every) every->reject("found both starts and a step, expected one of them");
  const scenario::Value& given = starts ? *starts : *every;
  if (cut.length <= Duration::zero())
    given.reject("found `starts` without a `length`, expected both");
  for (const char* random : {"count", "seed"})
    if (fields.take(random))
      given.reject(fmt::format("found `{}`, which belongs to random starts", random));
}

// `length`, `starts`, `every`, `count`, `seed`.
void take_sampling(scenario::Fields& fields, ticks::Cut& cut) {
  if (const auto v = fields.take("length")) {
    cut.length = v->duration("a duration such as 92h").value_or(Duration{});
    if (cut.length <= Duration::zero()) v->fail("a duration above 0");
  }
  take_starts(fields, cut);
  if (const auto v = fields.take("count")) cut.count = v->integer(1, 1'000'000).value_or(1);
  if (const auto v = fields.take("seed"))
    cut.seed = static_cast<std::uint64_t>(v->integer(0, INT64_MAX).value_or(1));
}

void take_instances(scenario::Fields& fields, ticks::Cut& cut) {
  if (const auto v = fields.take("instances")) cut.instances = v->integer(1, 1'000'000).value_or(1);
}

std::vector<ticks::Window> cut_file(const scenario::Value& value, const WindowNeeds& needs) {
  scenario::Fields fields(value);
  const PoolsOfFile item = take_file(fields);
  ticks::Cut cut{.tick = needs.tick};
  take_sampling(fields, cut);
  take_instances(fields, cut);
  if (const auto v = fields.take("trace_prices")) cut.trace_prices = v->flag().value_or(false);
  fields.finish();
  if (needs.tick <= Duration::zero()) return {};
  const auto trace = read_pools(item, needs);
  if (!trace || trace->pools.pools.empty()) return {};
  cut.trace_prices |= trace->prices;
  std::int64_t ticks = 0;
  for (const auto& [pool, series] : trace->pools.pools) {
    ticks += ticks_of(cut, series.end - series.steps.front().at);
    const auto price = item.on_demand.of(pool, series.steps.front().at);
    if (!price) return {};
    cut.on_demand[pool] = *price;
  }
  if (too_many(*item.file, ticks)) return {};
  auto windows = ticks::cut(trace->pools, cut);
  if (windows.empty()) item.file->fail("a trace at least as long as its `length`");
  return windows;
}

PoolsOfFile read_pools_item(const scenario::Value& value, market::Usd& spot) {
  if (!value.is_map()) return {.file = value, .path = value.text("a trace's path").value_or("")};
  scenario::Fields fields(value);
  PoolsOfFile item = take_file(fields);
  spot = take_price(fields, "spot");
  fields.finish();
  return item;
}

// The pools of all items side by side, with the value that names each pool, for messages.
struct SideBySide {
  std::vector<ticks::PoolTrace> pools;
  std::string market;  // their names, joined

  void add(const market::Pool& pool, const traces::CapacitySeries& series, market::Usd on_demand,
           market::Usd spot, const scenario::Value& value, bool moves) {
    if (pool.instance_type.find('#') != std::string::npos)
      return value.reject(to_string(pool) +
                          ": is a window already, expected the trace that it was cut from");
    if (moves && pool.availability_zone.empty())
      return value.reject(to_string(pool) +
                          ": its zone is not known, expected one where the job has `moves`");
    pools.push_back(
        {.name = pool.availability_zone.empty() ? pool.instance_type : pool.availability_zone,
         .series = series,
         .on_demand = on_demand,
         .spot_price = spot,
         .instance_type = pool.instance_type});
    market += (market.empty() ? "" : "+") + ticks::market_of(pool);
  }
};

void add_pools(SideBySide& all, const scenario::Value& value, const WindowNeeds& needs) {
  market::Usd spot;
  const PoolsOfFile item = read_pools_item(value, spot);
  const auto trace = read_pools(item, needs);
  if (!trace) return;
  const bool moves = needs.moves.cost_anything();
  for (const market::Pool& pool : trace->order) {
    const traces::CapacitySeries& series = trace->pools.pools.at(pool);
    if (const auto on_demand = item.on_demand.of(pool, series.steps.front().at))
      all.add(pool, series, *on_demand, spot, value, moves);
  }
}

std::vector<ticks::Window> cut_pools(const scenario::Value& value, const WindowNeeds& needs) {
  const std::string expected = "a list of traces, each a path or {file, select, on_demand, spot}";
  scenario::Fields fields(value);
  const auto pools = fields.require("pools", expected);
  ticks::Cut cut{.tick = needs.tick};
  take_sampling(fields, cut);
  take_instances(fields, cut);
  const auto market = fields.take("market");
  const auto name = market ? market->name() : std::nullopt;
  fields.finish();
  if (!pools || needs.tick <= Duration::zero()) return {};
  SideBySide all;
  for (const scenario::Value& item : pools->list(expected)) add_pools(all, item, needs);
  if (all.pools.empty() || all.pools.size() > kMostPools) {
    const bool told = pools->errors().about(pools->key());
    if (all.pools.size() > kMostPools || (pools->is_list() && !told))
      pools->reject(fmt::format("found {} pools, expected 1 to {}", all.pools.size(), kMostPools));
    return {};
  }
  const traces::CapacitySeries& first = all.pools.front().series;
  const Duration whole = first.end - first.steps.front().at;
  const Duration length = cut.length > Duration::zero() ? cut.length : whole;
  if (too_many(*pools, static_cast<std::int64_t>(all.pools.size()) * ticks_of(cut, length)))
    return {};
  auto windows = ticks::cut_side_by_side(name.value_or(all.market), all.pools, needs.moves, cut);
  if (windows.empty()) pools->reject("found no time that all cover, expected at least `length`");
  if (!windows.empty() && !ticks::direct_is_best(windows.front().pools))
    pools->reject("the job's `moves` make a detour over a third pool cheaper or quicker");
  if (!cut.starts.empty() && !windows.empty() && windows.size() < cut.starts.size())
    pools->reject(fmt::format("found {} of {} windows within the time that all cover",
                              windows.size(), cut.starts.size()));
  return windows;
}

double shape_of(scenario::Fields& fields, const std::string& key) {
  const auto v = fields.take(key);
  const double shape = v ? v->number().value_or(1) : 1;
  if (shape >= 0.1 && shape <= 100) return shape;
  v->fail("a Weibull shape from 0.1 to 100");
  return 1;
}

std::vector<ticks::Window> draw_trace(const scenario::Value& value, Duration tick) {
  scenario::Fields fields(value);
  ticks::WeibullRenewal r{.tick = tick};
  for (const auto& [key, mean] : {std::pair{"up", &r.up}, std::pair{"down", &r.down}}) {
    const auto v = fields.require(key, "a mean duration such as 4h");
    if (v) *mean = v->duration("a mean duration such as 4h").value_or(1h);
    if (v && *mean < 1s) v->fail("at least a second"), *mean = 1h;
    if (!v) *mean = 1h;
  }
  r.up_shape = shape_of(fields, "up_shape");
  r.down_shape = shape_of(fields, "down_shape");
  ticks::Cut sampling{.tick = tick, .length = std::chrono::hours(24 * 14)};
  take_sampling(fields, sampling);
  if (!sampling.starts.empty() || sampling.every > Duration::zero())
    value.reject("drawn windows have no starts, expected no `starts` and no `every`");
  r.length = sampling.length, r.count = sampling.count, r.seed = sampling.seed;
  if (const auto v = fields.take("market")) r.market = v->name().value_or("drawn");
  fields.finish();
  if (tick <= Duration::zero() || too_many(value, ticks_of(sampling, {}))) return {};
  return ticks::draw(r);
}

// Renames a market that an earlier entry has too, because its trace differs: "drawn" becomes
// "drawn-2". `names` are the names so far.
void tell_apart(std::vector<ticks::Window>& windows, std::set<std::string>& names) {
  std::map<std::string, std::string> own;
  for (ticks::Window& window : windows) {
    auto& name = own[window.market];
    if (name.empty()) name = window.market;
    for (int i = 2; names.contains(name); ++i) name = fmt::format("{}-{}", window.market, i);
    window.market = name;
  }
  for (const auto& [before, now] : own) names.insert(now);
}

}  // namespace

std::vector<ticks::Window> read_windows(scenario::Fields& fields, const WindowNeeds& needs) {
  std::vector<ticks::Window> windows;
  const std::string expected = "a list of traces, each {file: …}, {pools: …} or {draw: …}";
  const auto field = fields.require("traces", expected);
  if (!field) return windows;
  const auto traces = field->list(expected);
  if (traces.empty() && field->is_list())
    field->reject("found an empty list, expected at least one");
  std::set<std::string> names;
  for (const scenario::Value& value : traces) {
    scenario::Fields one(value);
    const auto draw = one.take("draw");
    if (draw) one.finish();
    auto more = draw                ? draw_trace(*draw, needs.tick)
                : one.take("pools") ? cut_pools(value, needs)
                                    : cut_file(value, needs);
    tell_apart(more, names);
    if (needs.warnings) check_windows(more, needs.settings, needs.policies, value, *needs.warnings);
    std::move(more.begin(), more.end(), std::back_inserter(windows));
  }
  return windows;
}

}  // namespace sim::sweep
