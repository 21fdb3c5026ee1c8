#include "sim/run/sweep_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "sim/run/scenario.h"
#include "sim/run/sweep_file_parts.h"
#include "sim/sweep/tick_sweep.h"

namespace sim::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = 1 << 20;      // bytes
constexpr std::int64_t kMostRuns = 1'000'000'000;  // of a grid
constexpr Duration kLeastTick = 1s;
constexpr std::string_view kShared = "$SPOTSIM_SHARED/";

struct Checkpoints {
  Duration interval{}, cost{};
};

std::vector<Checkpoints> read_checkpoints(Fields& fields) {
  const auto field = fields.take("checkpoints");
  if (!field) return {{}};
  std::vector<Checkpoints> all;
  for (const Value& value : one_or_more(*field)) {
    Fields one(value);
    Checkpoints c;
    if (const auto v = one.require("interval", "a duration such as 1h"))
      c.interval = v->duration("a duration such as 1h").value_or(Duration{});
    if (const auto v = one.require("cost", "a duration such as 30s"))
      c.cost = v->duration("a duration such as 30s").value_or(Duration{});
    one.finish();
    all.push_back(c);
  }
  return all;
}

struct Prices {
  market::Usd on_demand, spot;
};

std::vector<Prices> read_prices(Fields& fields) {
  const std::string expected = "prices such as {on_demand: 3.06, spot: 0.9731}, or a list of them";
  std::vector<Prices> all;
  const auto field = fields.require("prices", expected);
  if (!field) return all;
  for (const Value& value : one_or_more(*field)) {
    Fields one(value);
    Prices prices;
    for (const auto& [key, price] :
         {std::pair{"on_demand", &prices.on_demand}, std::pair{"spot", &prices.spot}}) {
      const auto v = one.require(key, "US dollars an hour such as 0.9731");
      if (v) *price = v->usd().value_or(market::Usd{1});
      if (v && price->nano <= 0) v->fail("US dollars an hour above 0");
    }
    one.finish();
    all.push_back(prices);
  }
  return all;
}

// All combinations, the last of them changing fastest.
std::vector<sweep::TickJob> read_settings(Fields& fields, Duration& tick) {
  std::vector<sweep::TickJob> settings;
  const auto job = fields.require("job", "a mapping with work, deadline, changeover and tick");
  const std::vector<Prices> prices = read_prices(fields);
  if (!job) return settings;
  Fields keys(*job);
  const auto works = durations(keys, "work", 1ms, "48h");
  const auto deadlines = durations(keys, "deadline", 1ms, "60h");
  const auto changeovers = durations(keys, "changeover", Duration::zero(), "12m");
  const auto ticks = durations(keys, "tick", kLeastTick, "10m");
  const auto checkpoints = read_checkpoints(keys);
  keys.finish();
  if (ticks.size() > 1) job->reject("tick: found several, expected one duration such as 10m");
  if (ticks.size() != 1) return settings;
  tick = ticks.front();
  for (const Duration work : works)
    for (const Duration deadline : deadlines)
      for (const Duration changeover : changeovers)
        for (const Prices& price : prices)
          for (const Checkpoints& c : checkpoints) {
            settings.push_back({.work = work,
                                .deadline = deadline,
                                .changeover = changeover,
                                .tick = tick,
                                .on_demand = price.on_demand,
                                .spot = price.spot,
                                .checkpoint_interval = c.interval,
                                .checkpoint_cost = c.cost});
          }
  return settings;
}

std::vector<std::string> read_policies(Fields& fields) {
  std::vector<std::string> all;
  const auto field = fields.require("policies", "a list of acquisition policies");
  if (!field) return all;
  for (const Value& value : field->list("a list of acquisition policies")) {
    const auto text = value.text("a policy such as greedy");
    if (!text) continue;
    if (std::find(all.begin(), all.end(), *text) != all.end()) value.fail("each policy once");
    try {
      if (*text != sweep::kOptimum) policies::make_acquisition_policy(*text);
      all.push_back(*text);
    } catch (const std::invalid_argument& error) {
      value.reject(std::string(error.what()) + ", " + sweep::kOptimum);
    }
  }
  if (all.empty() && field->is_list() && field->node().size() == 0) field->fail("at least one");
  return all;
}

// Relative to the sweep's folder; $SPOTSIM_SHARED/ is the folder of that variable, else ../shared
// beside the repository that the sweep is in.
fs::path trace_path(const std::string& text, const fs::path& sweep) {
  if (!text.starts_with(kShared)) return sweep.parent_path() / text;
  const char* const shared = std::getenv("SPOTSIM_SHARED");
  const fs::path folder = shared ? fs::path(shared) : sweep.parent_path() / "../../../shared";
  return folder / text.substr(kShared.size());
}

void take_sampling(Fields& fields, Duration& length, std::int64_t& count, std::uint64_t& seed) {
  if (const auto v = fields.take("length")) {
    length = v->duration("a duration such as 92h").value_or(Duration{});
    if (length <= Duration::zero()) v->fail("a duration above 0");
  }
  if (const auto v = fields.take("count")) count = v->integer(1, 1'000'000).value_or(1);
  if (const auto v = fields.take("seed"))
    seed = static_cast<std::uint64_t>(v->integer(0, INT64_MAX).value_or(1));
}

std::vector<sweep::Window> read_trace(const Value& value, Duration tick, const fs::path& sweep) {
  Fields fields(value);
  const auto file = fields.require("file", "an availability trace's path");
  sweep::Cut cut{.tick = tick};
  take_sampling(fields, cut.length, cut.count, cut.seed);
  if (const auto v = fields.take("instances")) cut.instances = v->integer(1, 1'000'000).value_or(1);
  if (const auto v = fields.take("trace_prices")) cut.trace_prices = v->flag().value_or(false);
  fields.finish();
  const auto text = file ? file->text("an availability trace's path") : std::nullopt;
  if (!text || tick <= Duration::zero()) return {};
  auto windows = sweep::cut(market::read_availability(trace_path(*text, sweep)), cut);
  if (windows.empty()) file->fail("a trace at least as long as its `length`");
  return windows;
}

double shape_of(Fields& fields, const std::string& key) {
  const auto v = fields.take(key);
  const double shape = v ? v->number().value_or(1) : 1;
  if (shape >= 0.1 && shape <= 100) return shape;
  v->fail("a Weibull shape from 0.1 to 100");
  return 1;
}

std::vector<sweep::Window> draw_trace(const Value& value, Duration tick) {
  Fields fields(value);
  sweep::Renewal r{.tick = tick};
  for (const auto& [key, mean] : {std::pair{"up", &r.up}, std::pair{"down", &r.down}}) {
    const auto v = fields.require(key, "a mean duration such as 4h");
    if (v) *mean = v->duration("a mean duration such as 4h").value_or(1h);
    if (v && *mean < 1s) v->fail("at least a second"), *mean = 1h;
    if (!v) *mean = 1h;
  }
  r.up_shape = shape_of(fields, "up_shape");
  r.down_shape = shape_of(fields, "down_shape");
  r.length = std::chrono::hours(24 * 14);
  take_sampling(fields, r.length, r.count, r.seed);
  if (const auto v = fields.take("market")) r.market = v->name().value_or("drawn");
  fields.finish();
  return tick > Duration::zero() ? sweep::draw(r) : std::vector<sweep::Window>{};
}

std::vector<sweep::Window> read_windows(Fields& fields, Duration tick, const fs::path& sweep) {
  std::vector<sweep::Window> windows;
  const std::string expected = "a list of traces, each {file: …} or {draw: …}";
  const auto field = fields.require("traces", expected);
  if (!field) return windows;
  for (const Value& value : field->list(expected)) {
    Fields one(value);
    const auto draw = one.take("draw");
    if (draw) one.finish();
    auto more = draw ? draw_trace(*draw, tick) : read_trace(value, tick, sweep);
    std::move(more.begin(), more.end(), std::back_inserter(windows));
  }
  return windows;
}

void check_size(const sweep::TickPlan& plan, const Value& root) {
  const auto each = static_cast<std::int64_t>(plan.policies.size());
  const auto blocks = static_cast<std::int64_t>(plan.settings.size() * plan.windows.size());
  if (blocks > kMostRuns / std::max<std::int64_t>(each, 1))
    root.reject(fmt::format("found {} blocks of {} policies, expected at most {} runs", blocks,
                            each, kMostRuns));
}

sweep::TickPlan read_plan(Fields& fields, const Value& root, const fs::path& file) {
  sweep::TickPlan plan;
  Duration tick{};
  plan.policies = read_policies(fields);
  plan.settings = read_settings(fields, tick);
  plan.windows = read_windows(fields, tick, file);
  check_size(plan, root);
  return plan;
}

}  // namespace

SweepFile parse_sweep(const std::string& text, const fs::path& file) {
  Errors errors(file.string());
  SweepFile sweep;
  sweep::TickPlan plan;
  if (text.size() > kLargestFile) {
    throw ScenarioError({fmt::format("{}:1:1: file: found {} bytes, expected at most {}",
                                     file.string(), text.size(), kLargestFile)});
  }
  try {
    const Value root(errors, YAML::Load(text), "");
    if (!root.is_map()) {
      throw ScenarioError(
          {fmt::format("{}:1:1: sweep: found no keys, expected a mapping with name and policies, "
                       "scenario or failing_job",
                       file.string())});
    }
    Fields fields(root);
    if (const auto v = fields.require("name", "a name such as cant-be-late"))
      sweep.name = v->name().value_or("");
    if (const auto v = fields.take("description")) v->text();
    if (const auto scenario = fields.take("scenario"))
      sweep.sweep = read_scenario_sweep(*scenario, fields, file);
    else if (const auto job = fields.take("failing_job"))
      sweep.sweep = read_failing_job_sweep(*job, fields);
    else
      plan = read_plan(fields, root, file);
    fields.finish();
  } catch (const YAML::ParserException& error) {
    errors.add({error.mark.line + 1, error.mark.column + 1}, "YAML", error.msg);
  } catch (const YAML::Exception& error) {
    errors.add({}, "YAML", error.what());
  }
  if (!errors.messages().empty()) throw ScenarioError(errors.messages());
  if (!sweep.sweep) sweep.sweep = std::make_unique<sweep::TickSweep>(std::move(plan));
  return sweep;
}

SweepFile read_sweep(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || fs::is_directory(file)) {
    throw ScenarioError({fmt::format(
        "{}:1:1: file: found no readable file, expected a sweep in YAML", file.string())});
  }
  std::ostringstream text;
  text << in.rdbuf();
  return parse_sweep(text.str(), file);
}

}  // namespace sim::run
