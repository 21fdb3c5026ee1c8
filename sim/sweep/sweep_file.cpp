#include "sim/sweep/sweep_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/whole_file.h"
#include "policies/acquisition/strategy.h"
#include "policies/checkpoint/policy.h"
#include "sim/scenario/command_value.h"
#include "sim/scenario/scenario.h"
#include "sim/sweep/sweep_checks.h"
#include "sim/sweep/sweep_file_parts.h"
#include "sim/sweep/sweep_windows.h"
#include "sim/sweep/tick_sweep.h"
#include "sim/ticks/optimum.h"

namespace sim::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = 1 << 20;      // bytes
constexpr std::int64_t kMostRuns = 1'000'000'000;  // of a grid
constexpr Duration kLeastTick = 1s;

struct Checkpoints {
  Duration interval{}, cost{};
  std::string policy{};
};

// `path` of a program, as the sweep writes it.
fs::path beside_sweep(const fs::path& sweep, const std::string& path) {
  return (sweep.parent_path() / path).lexically_normal();
}

std::optional<std::string> policy_text(const Value& value, const fs::path& sweep,
                                       const char* expected) {
  if (!value.is_map()) return value.text(expected);
  const std::string text = read_command_policy(
      value, [&](const std::string& path) { return beside_sweep(sweep, path); });
  return text.empty() ? std::nullopt : std::optional(text);
}

std::string read_checkpoint_policy(const Value& value, const fs::path& sweep) {
  const auto text = policy_text(
      value, sweep, "checkpoint policies such as daly:6h,on-notice, or {command: PROGRAM}");
  if (!text) return "none";
  try {
    policies::try_checkpoint_policies(*text);
  } catch (const std::runtime_error& error) {  // PolicyFailed
    value.reject(error.what());
  } catch (const std::invalid_argument& error) {
    value.reject(error.what());
  }
  return *text;
}

void read_when(const Value& checkpoint, Fields& keys, const fs::path& sweep, Checkpoints& to) {
  const auto policy = keys.take("policy"), interval = keys.take("interval");
  if (policy) {
    to.policy = read_checkpoint_policy(*policy, sweep);
    if (interval) interval->reject("found an `interval` beside a `policy`, expected one of them");
    return;
  }
  if (!interval) {
    keys.require("interval", "a duration such as 1h, or a `policy`");
    return;
  }
  to.interval = interval->duration("a duration such as 1h").value_or(Duration{});
  if (to.interval == Duration::zero() && to.cost > Duration::zero())
    checkpoint.reject(
        "found checkpoints that cost something but are never made, expected an "
        "`interval` above 0");
}

std::vector<Checkpoints> read_checkpoints(Fields& fields, const fs::path& sweep) {
  const auto field = fields.take("checkpoints");
  if (!field) return {{}};
  std::vector<Checkpoints> all;
  for (const Value& value : one_or_more(*field)) {
    Fields one(value);
    Checkpoints c;
    if (const auto v = one.require("cost", "a duration such as 30s"))
      c.cost = v->duration("a duration such as 30s").value_or(Duration{});
    read_when(value, one, sweep, c);
    one.finish();
    all.push_back(std::move(c));
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

// Empty: whole ticks.
std::optional<market::Billing> read_billing(Fields& fields) {
  const auto field = fields.take("billing");
  if (!field) return market::Billing::kPerSecond;
  const auto text = field->text("per-second, per-hour or ticks");
  if (text == "ticks") return std::nullopt;
  if (text == "per-hour") return market::Billing::kPerHour;
  if (text && text != "per-second") field->fail("per-second, per-hour or ticks");
  return market::Billing::kPerSecond;
}

sweep::PoolMove read_move(Fields& moves, const std::string& key) {
  sweep::PoolMove move;
  const auto field = moves.require(key, "what a move costs, such as {egress: 0.20, time: 5m}");
  if (!field) return move;
  Fields one(*field);
  if (const auto v = one.require("egress", "US dollars a move such as 0.20")) {
    move.egress = v->usd().value_or(market::Usd{});
    if (move.egress.nano < 0) v->fail("US dollars a move, at least 0");
  }
  if (const auto v = one.require("time", "a duration such as 5m")) {
    move.time = v->duration("a duration such as 5m").value_or(Duration{});
    if (move.time < Duration::zero()) v->fail("a duration of at least 0s");
  }
  one.finish();
  return move;
}

sweep::MoveCosts read_moves(Fields& job) {
  const auto field = job.take("moves");
  if (!field) return {};
  Fields keys(*field);
  const sweep::MoveCosts costs{.between_zones = read_move(keys, "between_zones"),
                               .between_regions = read_move(keys, "between_regions")};
  keys.finish();
  if (costs.between_regions.egress < costs.between_zones.egress ||
      costs.between_regions.time < costs.between_zones.time)
    field->reject("moves between regions are cheaper or quicker than between zones");
  return costs;
}

// All combinations, the last of them changing fastest.
std::vector<sweep::TickJob> read_settings(Fields& fields, const std::optional<Value>& job,
                                          WindowNeeds& needs) {
  std::vector<sweep::TickJob> settings;
  const std::vector<Prices> prices = read_prices(fields);
  const auto billing = read_billing(fields);
  if (!job) return settings;
  Fields keys(*job);
  const auto works = durations(keys, "work", 1ms, "48h");
  const auto deadlines = durations(keys, "deadline", 1ms, "60h");
  const auto changeovers = durations(keys, "changeover", Duration::zero(), "12m");
  const auto ticks = durations(keys, "tick", kLeastTick, "10m");
  const auto checkpoints = read_checkpoints(keys, needs.sweep);
  sweep::TickJob asked;  // how checkpoint policies are asked
  for (const auto& [key, to, least] :
       {std::tuple{"step", &asked.step, Duration(1ms)},
        std::tuple{"epoch", &asked.epoch, Duration(1ms)},
        std::tuple{"notice", &asked.notice, Duration::zero()},
        std::tuple{"rebalance", &asked.rebalance, Duration::zero()}}) {
    const auto v = keys.take(key);
    if (v) *to = v->duration("a duration such as 2m").value_or(*to);
    if (*to < least) v->fail(fmt::format("a duration of at least {}", format_duration(least)));
  }
  needs.moves = read_moves(keys);
  keys.finish();
  if (ticks.size() > 1) job->reject("tick: found several, expected one duration such as 10m");
  if (ticks.size() != 1) return settings;
  const Duration tick = needs.tick = ticks.front();
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
                                .checkpoint_cost = c.cost,
                                .checkpoint_policy = c.policy,
                                .step = asked.step,
                                .epoch = asked.epoch,
                                .notice = asked.notice,
                                .rebalance = asked.rebalance,
                                .billing = billing});
          }
  return settings;
}

constexpr const char* kStrategy =
    "a strategy such as greedy or greedy+lowest-price, or {command: PROGRAM}";

std::vector<std::string> read_policies(Fields& fields, const fs::path& sweep) {
  std::vector<std::string> all;
  const auto field = fields.require("policies", "a list of acquisition strategies");
  if (!field) return all;
  for (const Value& value : field->list("a list of acquisition strategies")) {
    const auto text = policy_text(value, sweep, kStrategy);
    if (!text) continue;
    if (std::find(all.begin(), all.end(), *text) != all.end()) value.fail("each policy once");
    try {
      if (*text != sweep::kOptimum) policies::try_strategy(*text);
      all.push_back(*text);
    } catch (const std::invalid_argument& error) {
      value.reject(std::string(error.what()) + "; or " + sweep::kOptimum);
    } catch (const policies::PolicyFailed& error) {
      value.reject(error.what());
    }
  }
  if (all.empty() && field->is_list() && field->node().size() == 0) field->fail("at least one");
  return all;
}

void check_size(const sweep::TickPlan& plan, const Value& traces) {
  const auto each = static_cast<std::int64_t>(plan.policies.size());
  const auto blocks = static_cast<std::int64_t>(plan.settings.size() * plan.windows.size());
  if (blocks > kMostRuns / std::max<std::int64_t>(each, 1))
    traces.reject(fmt::format("found {} blocks of {} policies, expected at most {} runs", blocks,
                              each, kMostRuns));
}

// Before the first run, not in the middle.
void check_optimum(const sweep::TickPlan& plan, const Value& job) {
  const auto& all = plan.policies;
  if (std::find(all.begin(), all.end(), sweep::kOptimum) == all.end()) return;
  try {
    for (const sweep::TickJob& setting : plan.settings)
      for (const sweep::Window& window : plan.windows) sweep::check_solvable(setting, window.pools);
  } catch (const std::logic_error& error) {
    job.reject(std::string(sweep::kOptimum) + ": " + error.what());
  }
}

sweep::TickPlan read_plan(Fields& fields, const fs::path& file, Errors& warnings) {
  sweep::TickPlan plan;
  WindowNeeds needs{.sweep = file, .warnings = &warnings};
  plan.policies = read_policies(fields, file);
  const auto job = fields.require("job", "a mapping with work, deadline, changeover and tick");
  plan.settings = read_settings(fields, job, needs);
  if (job) check_ticks(plan.settings, *job), check_deadlines(plan.settings, *job, warnings);
  needs.policies = plan.policies;
  needs.settings = plan.settings;
  plan.windows = read_windows(fields, needs);
  if (const auto traces = fields.take("traces")) check_size(plan, *traces);
  if (job) check_optimum(plan, *job);
  return plan;
}

// Given by mistake.
bool is_scenario(const Value& root) {
  const auto has = [&](const char* key) { return root.find(key).has_value(); };
  return has("operator") && has("market") && !has("policies") && !has("failing_job");
}

double read_late_allowed(Fields& fields) {
  const auto v = fields.take("late_allowed");
  if (!v) return 0;
  const double share = v->number().value_or(0);
  if (share < 0 || share > 1) v->fail("a share of the runs from 0 to 1, such as 0.05");
  return share;
}

}  // namespace

SweepFile parse_sweep(const std::string& text, const fs::path& file) {
  Errors errors(file.string()), warnings(file.string());
  SweepFile sweep;
  sweep::TickPlan plan;
  double late_allowed = 0;
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
    if (is_scenario(root)) {
      throw ScenarioError({fmt::format(
          "{}:1:1: sweep: found a scenario, which `spotsim run` takes, expected a mapping with "
          "name and policies, scenario or failing_job",
          file.string())});
    }
    Fields fields(root);
    if (const auto v = fields.require("name", "a name such as cant-be-late"))
      sweep.name = v->name().value_or("");
    if (const auto v = fields.take("description")) v->text();
    late_allowed = read_late_allowed(fields);
    if (const auto scenario = fields.take("scenario"))
      sweep.sweep = read_scenario_sweep(*scenario, fields, file);
    else if (const auto job = fields.take("failing_job"))
      sweep.sweep = read_failing_job_sweep(*job, fields);
    else
      plan = read_plan(fields, file, warnings);
    fields.finish();
  } catch (const YAML::ParserException& error) {
    add_syntax_error(error, text, errors);
  } catch (const YAML::Exception& error) {
    errors.add({}, "YAML", error.what());
  }
  if (!errors.empty()) throw ScenarioError(errors.messages());
  sweep.warnings = warnings.messages();
  if (!sweep.sweep) sweep.sweep = std::make_unique<sweep::TickSweep>(std::move(plan));
  sweep.sweep->allow_late(late_allowed);
  return sweep;
}

SweepFile read_sweep(const fs::path& file) {
  const auto text = base::read_file(file);
  if (!text) {
    throw ScenarioError({fmt::format(
        "{}:1:1: file: found no readable file, expected a sweep in YAML", file.string())});
  }
  return parse_sweep(*text, file);
}

}  // namespace sim::run
