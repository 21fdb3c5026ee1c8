#include "sim/sweep/file/sweep_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "policies/acquisition/strategy.h"
#include "policies/checkpoint/policy.h"
#include "sim/scenario/command_value.h"
#include "sim/scenario/scenario.h"
#include "sim/sweep/file/sweep_checks.h"
#include "sim/sweep/file/sweep_file_parts.h"
#include "sim/sweep/file/sweep_moves.h"
#include "sim/sweep/file/sweep_windows.h"
#include "sim/sweep/tick_sweep.h"
#include "sim/ticks/optimum.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostRuns = 1'000'000'000;  // limit of a grid
constexpr Duration kLeastTick = 1s;

// The absolute path of a program whose path is relative to the sweep.
fs::path beside_sweep(const fs::path& sweep, const std::string& path) {
  return (sweep.parent_path() / path).lexically_normal();
}

std::optional<std::string> policy_text(const scenario::Value& value, const fs::path& sweep,
                                       const char* expected) {
  if (!value.is_map()) return value.text(expected);
  const std::string text = scenario::read_command_policy(
      value, [&](const std::string& path) { return beside_sweep(sweep, path); });
  return text.empty() ? std::nullopt : std::optional(text);
}

std::string read_checkpoint_policy(const scenario::Value& value, const fs::path& sweep) {
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

void read_when(const scenario::Value& checkpoint, scenario::Fields& keys, const fs::path& sweep,
               CheckpointSettings& to) {
  const auto policy = keys.take("policy"), interval = keys.take("interval");
  if (policy) {
    to.policy = read_checkpoint_policy(*policy, sweep);
    if (interval) interval->reject("found `interval` together with `policy`, expected one of them");
    return;
  }
  if (!interval) {
    keys.require("interval", "a duration such as 1h, or a `policy`");
    return;
  }
  to.interval = interval->duration("a duration such as 1h").value_or(Duration{});
  if (to.interval == Duration::zero() && to.cost > Duration::zero())
    checkpoint.reject(
        "found a cost of checkpoints that are never made, expected an `interval` above 0");
}

std::vector<CheckpointSettings> read_checkpoints(scenario::Fields& fields, const fs::path& sweep) {
  const auto field = fields.take("checkpoints");
  if (!field) return {{}};
  std::vector<CheckpointSettings> all;
  for (const scenario::Value& value : one_or_more(*field)) {
    scenario::Fields one(value);
    CheckpointSettings c;
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

std::vector<Prices> read_prices(scenario::Fields& fields) {
  const std::string expected = "prices such as {on_demand: 3.06, spot: 0.9731}, or a list of them";
  std::vector<Prices> all;
  const auto field = fields.require("prices", expected);
  if (!field) return all;
  for (const scenario::Value& value : one_or_more(*field)) {
    scenario::Fields one(value);
    Prices prices;
    for (const auto& [key, price] :
         {std::pair{"on_demand", &prices.on_demand}, std::pair{"spot", &prices.spot}}) {
      const auto v = one.require(key, "US dollars an hour such as 0.9731");
      if (v) *price = positive_price(*v);
    }
    one.finish();
    all.push_back(prices);
  }
  return all;
}

// Empty: whole ticks.
std::optional<market::Billing> read_billing(scenario::Fields& fields) {
  const auto field = fields.take("billing");
  if (!field) return market::Billing::kPerSecond;
  const auto text = field->text("per-second, per-hour or ticks");
  if (text == "ticks") return std::nullopt;
  if (text == "per-hour") return market::Billing::kPerHour;
  if (text && text != "per-second") field->fail("per-second, per-hour or ticks");
  return market::Billing::kPerSecond;
}

ticks::Conventions read_conventions(scenario::Fields& fields,
                                    const std::optional<market::Billing>& billing) {
  const auto field = fields.take("conventions");
  if (!field) return ticks::Conventions::kOwn;
  if (field->text("skynomad") != "skynomad") field->fail("skynomad");
  if (billing) field->reject("skynomad bills whole ticks, expected also `billing: ticks`");
  return ticks::Conventions::kSkyNomad;
}

// The job's work, or the deadline relative to it.
struct Work {
  Duration time{};
  double deadline_ratio = 0;

  Duration of(Duration deadline) const {
    if (deadline_ratio == 0) return time;
    return Duration(std::llround(static_cast<double>(deadline.count()) / deadline_ratio));
  }
};

std::vector<Work> read_works(scenario::Fields& job, const std::vector<Duration>& deadlines) {
  std::vector<Work> works;
  const auto ratios = job.take("deadline_ratio");
  if (!ratios)
    for (const Duration time : durations(job, "work", 1ms, "48h")) works.push_back({.time = time});
  if (!ratios) return works;
  if (job.take("work")) ratios->reject("found together with `work`, expected one of the two");
  for (const scenario::Value& value : one_or_more(*ratios)) {
    const double ratio = value.number().value_or(1);
    if (!(ratio >= 1 && ratio <= 1000)) value.fail("the deadline over the work, from 1 to 1000");
    works.push_back({.deadline_ratio = std::clamp(ratio, 1.0, 1000.0)});
  }
  for (const Duration deadline : deadlines)
    for (const Work& work : works)
      if (work.of(deadline) < 1ms) ratios->reject("leaves less than a millisecond of work");
  return works;
}

// Several values that no policy reads would only repeat the same runs.
std::vector<Duration> read_warnings(scenario::Fields& keys, const std::string& key,
                                    Duration otherwise,
                                    const std::vector<CheckpointSettings>& checkpoints) {
  const auto field = keys.take(key);
  if (!field) return {otherwise};
  auto all = durations(*field, Duration::zero(), "2m");
  const bool heard = std::ranges::any_of(
      checkpoints, [](const CheckpointSettings& saves) { return !saves.policy.empty(); });
  if (all.size() > 1 && !heard)
    field->reject(
        "found several, which no checkpoint policy reads, expected a `policy` in `checkpoints`");
  return all;
}

// All combinations of when checkpoint policies are asked and of the facts that they get.
std::vector<ticks::TickJob> read_asked(scenario::Fields& keys,
                                       const std::vector<CheckpointSettings>& checkpoints) {
  ticks::TickJob asked{};
  const auto read = [&](const char* key, Duration& to, Duration least) {
    const auto v = keys.take(key);
    if (v) to = v->duration("a duration such as 2m").value_or(to);
    if (to < least) v->fail(fmt::format("a duration of at least {}", format_duration(least)));
  };
  read("step", asked.step, 1ms);
  read("epoch", asked.epoch, 1ms);
  std::vector<ticks::TickJob> all;
  const auto notices = read_warnings(keys, "notice", asked.notice, checkpoints);
  const auto rebalances = read_warnings(keys, "rebalance", asked.rebalance, checkpoints);
  for (const Duration notice : notices)
    for (const Duration rebalance : rebalances) {
      asked.notice = notice, asked.rebalance = rebalance;
      all.push_back(asked);
    }
  return all;
}

// All combinations; the last key changes fastest.
std::vector<ticks::TickJob> read_settings(scenario::Fields& fields,
                                          const std::optional<scenario::Value>& job,
                                          WindowNeeds& needs,
                                          std::vector<CheckpointSettings>& checkpoints) {
  std::vector<ticks::TickJob> settings;
  const std::vector<Prices> prices = read_prices(fields);
  const auto billing = read_billing(fields);
  const ticks::Conventions conventions = read_conventions(fields, billing);
  if (!job) return settings;
  scenario::Fields keys(*job);
  const auto deadlines = durations(keys, "deadline", 1ms, "60h");
  const auto works = read_works(keys, deadlines);
  const auto changeovers = durations(keys, "changeover", Duration::zero(), "12m");
  const auto ticks = durations(keys, "tick", kLeastTick, "10m");
  checkpoints = read_checkpoints(keys, needs.sweep);
  const auto asked = read_asked(keys, checkpoints);
  needs.moves = read_moves(keys);
  keys.finish();
  if (ticks.size() > 1) job->reject("tick: found several, expected one duration such as 10m");
  if (ticks.size() != 1 || !few_enough(*job, {works.size(), deadlines.size(), changeovers.size(),
                                              asked.size(), prices.size()}))
    return settings;
  const Duration tick = needs.tick = ticks.front();
  for (const Work& work : works)
    for (const Duration deadline : deadlines)
      for (const Duration changeover : changeovers)
        for (const ticks::TickJob& one : asked)
          for (const Prices& price : prices) {
            ticks::TickJob setting = one;
            setting.work = work.of(deadline), setting.deadline = deadline,
            setting.changeover = changeover;
            setting.tick = tick, setting.on_demand = price.on_demand, setting.spot = price.spot;
            setting.billing = billing, setting.conventions = conventions;
            setting.deadline_ratio = work.deadline_ratio;
            setting.gigabytes = needs.moves.gigabytes;
            settings.push_back(std::move(setting));
          }
  return settings;
}

constexpr const char* kStrategy =
    "a strategy such as greedy or greedy+lowest-price, or {command: PROGRAM}";

std::vector<std::string> read_policies(scenario::Fields& fields, const fs::path& sweep) {
  std::vector<std::string> all;
  const auto field = fields.require("policies", "a list of acquisition strategies");
  if (!field) return all;
  for (const scenario::Value& value : field->list("a list of acquisition strategies")) {
    const auto text = policy_text(value, sweep, kStrategy);
    if (!text) continue;
    if (std::find(all.begin(), all.end(), *text) != all.end()) value.fail("each policy once");
    try {
      if (*text != kOptimum) policies::try_strategy(*text);
      all.push_back(*text);
    } catch (const std::invalid_argument& error) {
      value.reject(std::string(error.what()) + "; or " + kOptimum);
    } catch (const policies::PolicyFailed& error) {
      value.reject(error.what());
    }
  }
  if (all.empty() && field->is_list() && field->node().size() == 0) field->fail("at least one");
  return all;
}

std::map<std::string, std::vector<market::Usd>> read_published(scenario::Fields& fields,
                                                               const TickPlan& plan) {
  const auto& policies = plan.policies;
  std::map<std::string, std::vector<market::Usd>> means;
  const auto field = fields.take("published");
  if (!field) return means;
  scenario::Fields by_policy(*field);
  for (const scenario::Value& mean : by_policy.take_all()) {
    if (std::find(policies.begin(), policies.end(), mean.member_name()) == policies.end())
      mean.fail("one of the sweep's policies");
    for (const scenario::Value& value : one_or_more(mean))
      means[mean.member_name()].push_back(value.usd().value_or(market::Usd{}));
    const std::size_t found = means[mean.member_name()].size();
    if (found > 1 && found != plan.settings.size())
      mean.reject(fmt::format("found {} means, expected one, or one for each of {} settings", found,
                              plan.settings.size()));
  }
  return means;
}

void check_size(const TickPlan& plan, const scenario::Value& traces) {
  const auto each = static_cast<std::int64_t>(plan.policies.size() * plan.checkpoints.size());
  const auto blocks = static_cast<std::int64_t>(plan.settings.size() * plan.windows.size());
  if (blocks > kMostRuns / std::max<std::int64_t>(each, 1))
    traces.reject(fmt::format("found {} blocks of {} variants, expected at most {} runs", blocks,
                              each, kMostRuns));
}

// Checked before the first run rather than in the middle.
void check_optimum(const TickPlan& plan, const scenario::Value& job) {
  const auto& all = plan.policies;
  if (std::find(all.begin(), all.end(), kOptimum) == all.end()) return;
  if (!plan.settings.empty() && plan.settings.front().conventions != ticks::Conventions::kOwn)
    job.reject(std::string(kOptimum) + ": exists for spotsim's own conventions only");
  try {
    for (const ticks::TickJob& setting : plan.settings)
      for (const ticks::Window& window : plan.windows)
        for (const CheckpointSettings& saves : plan.checkpoints)
          ticks::check_solvable(with(setting, saves), window.pools);
  } catch (const std::logic_error& error) {
    job.reject(std::string(kOptimum) + ": " + error.what());
  }
}

TickPlan read_plan(scenario::Fields& fields, const fs::path& file, scenario::Errors& warnings,
                   std::vector<std::string>& odd_traces) {
  TickPlan plan;
  WindowNeeds needs{.sweep = file, .warnings = &warnings, .odd_traces = &odd_traces};
  plan.policies = read_policies(fields, file);
  const auto job = fields.require("job", "a mapping with work, deadline, changeover and tick");
  plan.checkpoints.clear();
  plan.settings = read_settings(fields, job, needs, plan.checkpoints);
  if (plan.checkpoints.empty()) plan.checkpoints.emplace_back();
  if (job) {
    check_ticks(plan.settings, *job), check_deadlines(plan.settings, *job, warnings);
    check_checkpoints(plan.settings, plan.checkpoints, *job);
  }
  needs.policies = plan.policies;
  needs.settings = plan.settings;
  plan.windows = read_windows(fields, needs);
  plan.published = read_published(fields, plan);
  if (const auto traces = fields.take("traces")) check_size(plan, *traces);
  if (job) check_optimum(plan, *job);
  return plan;
}

// True if the file is a scenario, given by mistake.
bool is_scenario(const scenario::Value& root) {
  const auto has = [&](const char* key) { return root.find(key).has_value(); };
  return has("operator") && has("market") && !has("policies") && !has("failing_job");
}

bool is_job(const scenario::Value& root) {
  const auto has = [&](const char* key) { return root.find(key).has_value(); };
  return has("instance_type") && has("work") && !has("policies");
}

}  // namespace

SweepFile parse_sweep(const std::string& text, const fs::path& file) {
  scenario::Errors errors(file.string()), warnings(file.string());
  SweepFile sweep;
  TickPlan plan;
  double late_allowed = 0;
  scenario::read_yaml(text, errors, [&](const scenario::Value& root) {
    if (!root.is_map()) {
      throw scenario::ScenarioError(
          {fmt::format("{}:1:1: sweep: found no keys, expected a mapping with name and policies, "
                       "scenario or failing_job",
                       file.string())});
    }
    if (is_scenario(root) || is_job(root)) {
      const bool job = is_job(root);
      throw scenario::ScenarioError({fmt::format(
          "{}:1:1: sweep: found a {}, which `spotsim {}` takes, expected a mapping with "
          "name and policies, scenario or failing_job",
          file.string(), job ? "job" : "scenario", job ? "advise" : "run")});
    }
    scenario::Fields fields(root);
    if (const auto v = fields.require("name", "a name such as cant-be-late"))
      sweep.name = v->name().value_or("");
    if (const auto v = fields.take("description")) v->text();
    late_allowed = read_late_allowed(fields);
    if (const auto scenario = fields.take("scenario"))
      sweep.sweep = read_scenario_sweep(*scenario, fields, file);
    else if (const auto job = fields.take("failing_job"))
      sweep.sweep = read_failing_job_sweep(*job, fields);
    else
      plan = read_plan(fields, file, warnings, sweep.warnings);
    fields.finish();
  });
  if (!errors.empty()) throw scenario::ScenarioError(errors.messages());
  std::ranges::copy(warnings.messages(), std::back_inserter(sweep.warnings));
  if (!sweep.sweep) sweep.sweep = std::make_unique<TickSweep>(std::move(plan));
  sweep.sweep->allow_late(late_allowed);
  return sweep;
}

SweepFile read_sweep(const fs::path& file) { return parse_sweep(scenario::read_input(file), file); }

}  // namespace sim::sweep
