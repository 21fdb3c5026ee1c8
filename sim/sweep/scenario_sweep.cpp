#include "sim/sweep/scenario_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sim/scenario/scenario_text.h"
#include "sim/sweep/content_hash.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

constexpr int kVersion = 4;  // of the measures; a change invalidates old rows
const std::vector<std::string> kOutcomes{"completed", "failed", "deadline", "stuck", "unproven"};

std::int64_t or_nothing(const std::optional<market::Usd>& usd) {
  return usd ? usd->nano : kNothing;
}

std::int64_t broken(const result::Result& r) {
  return std::count_if(r.invariants.begin(), r.invariants.end(),
                       [](const result::Verdict& verdict) { return verdict.fails(); });
}

// Returns kNothing if `whole` is zero.
std::int64_t share(double part, double whole) {
  return whole > 0 ? std::llround(part / whole * 1e9) : kNothing;
}

// The time in which the job could have trained: all time except that of instances that only
// prepare.
double wall_seconds(const result::Result& r) {
  return seconds(r.time.billed - r.time.prepare + r.time.waiting);
}
std::int64_t wall_share(const result::Result& r, Duration part) {
  return share(seconds(part), wall_seconds(r));
}

std::int64_t steps_kept(const result::Result& r) {
  std::int64_t steps = 0;
  for (const result::Attempt& attempt : r.attempts) steps += attempt.steps_kept;
  return steps;
}

std::int64_t goodput(const result::Result& r) {
  return share(static_cast<double>(steps_kept(r)), seconds(r.makespan) / 3600);
}

std::int64_t cost_per_epoch(const result::Result& r, const scenario::Scenario& scenario) {
  const std::int64_t steps = steps_kept(r);
  if (steps == 0 || !scenario.trainer) return kNothing;
  const double epochs =
      static_cast<double>(steps) / static_cast<double>(scenario.trainer->steps_per_epoch);
  return std::llround(static_cast<double>(r.money.total.nano) / epochs);
}

std::int64_t outcome(const result::Result& r) {
  return std::find(kOutcomes.begin(), kOutcomes.end(), r.outcome) - kOutcomes.begin();
}

// The measures after the common ones. The first two say whether the run failed.
enum ScenarioMeasure : std::size_t { kOutcome = sweep::kMakespan + 1, kBroken };
struct ResultMeasure {
  Measure measure;
  std::int64_t (*of)(const result::Result&, const scenario::Scenario&);
};
const std::array<ResultMeasure, 25>& result_measures() {
  constexpr auto kMean = Measure::Summary::kMean;
  static const std::array<ResultMeasure, 25> kAll{{
      {{.name = "outcome", .unit = Unit::kWord, .words = kOutcomes},
       [](const result::Result& r, const scenario::Scenario&) { return outcome(r); }},
      {{.name = "broken_invariants"},
       [](const result::Result& r, const scenario::Scenario&) { return broken(r); }},
      {{"attempts", Unit::kCount, kMean},
       [](const result::Result& r, const scenario::Scenario&) { return std::ssize(r.attempts); }},
      {{"interruptions", Unit::kCount, kMean, true},
       [](const result::Result& r, const scenario::Scenario&) {
         return static_cast<std::int64_t>(
             std::count_if(r.attempts.begin(), r.attempts.end(),
                           [](const result::Attempt& a) { return a.end_reason == "interrupted"; }));
       }},
      {{"lost_steps", Unit::kCount, kMean},
       [](const result::Result& r, const scenario::Scenario&) { return r.lost_steps; }},
      {{"lost", Unit::kHours, kMean, true},
       [](const result::Result& r, const scenario::Scenario&) { return r.lost_time.count(); }},
      {{"checkpoint", Unit::kHours, kMean, true},
       [](const result::Result& r, const scenario::Scenario&) {
         return r.checkpoint_overhead.count();
       }},
      {{"restart", Unit::kHours, kMean, true},
       [](const result::Result& r, const scenario::Scenario&) {
         return r.restart_overhead.count();
       }},
      {{"waiting", Unit::kHours, kMean},
       [](const result::Result& r, const scenario::Scenario&) { return r.time.waiting.count(); }},
      {{"trained", Unit::kHours, kMean},
       [](const result::Result& r, const scenario::Scenario&) {
         return r.time.train_kept.count();
       }},
      {{"billed", Unit::kHours, kMean},
       [](const result::Result& r, const scenario::Scenario&) { return r.time.billed.count(); }},
      {{"instances", Unit::kUsd, kMean},
       [](const result::Result& r, const scenario::Scenario&) { return r.money.instances.nano; }},
      {{"volumes", Unit::kUsd, kMean},
       [](const result::Result& r, const scenario::Scenario&) { return r.money.volumes.nano; }},
      {{"snapshots", Unit::kUsd, kMean},
       [](const result::Result& r, const scenario::Scenario&) { return r.money.snapshots.nano; }},
      {{"ettr", Unit::kRatio, kMean},
       [](const result::Result& r, const scenario::Scenario&) {
         return wall_share(r, r.time.train_kept);
       }},
      {{"lost_share", Unit::kRatio, kMean},
       [](const result::Result& r, const scenario::Scenario&) {
         return wall_share(r, r.lost_time);
       }},
      {{"checkpoint_share", Unit::kRatio, kMean},
       [](const result::Result& r, const scenario::Scenario&) {
         return wall_share(r, r.checkpoint_overhead);
       }},
      {{"restart_share", Unit::kRatio, kMean},
       [](const result::Result& r, const scenario::Scenario&) {
         return wall_share(r, r.restart_overhead);
       }},
      {{"goodput", Unit::kRatio, kMean},
       [](const result::Result& r, const scenario::Scenario&) { return goodput(r); }},
      {{"cost_per_epoch", Unit::kUsd, kMean}, cost_per_epoch},
      {{"lateness", Unit::kHours, kMean},
       [](const result::Result& r, const scenario::Scenario&) {
         return r.lateness ? r.lateness->count() : kNothing;
       }},
      {{"wasted", Unit::kUsd, kMean},
       [](const result::Result& r, const scenario::Scenario&) { return r.wasted.all.nano; }},
      {{"lost_cost", Unit::kUsd, kMean},
       [](const result::Result& r, const scenario::Scenario&) { return r.wasted.lost.nano; }},
      {{"checkpoint_cost", Unit::kUsd, kMean},
       [](const result::Result& r, const scenario::Scenario&) { return r.wasted.checkpoint.nano; }},
      {{"restart_cost", Unit::kUsd, kMean},
       [](const result::Result& r, const scenario::Scenario&) { return r.wasted.restart.nano; }},
  }};
  return kAll;
}

void put(const result::Result& result, const scenario::Scenario& scenario,
         std::span<std::int64_t> row) {
  row[sweep::kFinished] = result.outcome == "completed";
  if (result.deadline_met) row[sweep::kDeadlineMet] = *result.deadline_met;
  row[sweep::kCost] = result.money.total.nano;
  row[sweep::kBaseline] = or_nothing(result.baseline_without_checkpoints);
  row[sweep::kMakespan] = result.makespan.count();
  for (std::size_t i = 0; i < result_measures().size(); ++i)
    row[kOutcome + i] = result_measures()[i].of(result, scenario);
}

std::string told(const scenario::Overrides& overrides) {
  std::string all;
  for (const scenario::Override& o : overrides)
    all += fmt::format("{}{}={}", all.empty() ? "" : " ", o.key, o.value);
  return all;
}

// Collects the errors of all combinations, each once. An error that only some combinations have
// names the first of them, unless it is about a changed key anyway.
class CombinationErrors {
 public:
  void add(const std::string& message, const scenario::Overrides& overrides) {
    const auto [found, is_new] = combinations_.emplace(message, 0);
    if (++found->second > 1) return;
    const auto said = [&](const scenario::Override& o) {
      return message.starts_with(o.origin + ": ");
    };
    const bool named = std::any_of(overrides.begin(), overrides.end(), said);
    messages_.emplace_back(message, named ? "" : ", with " + told(overrides));
  }
  void throw_any(std::int64_t combinations) const {
    std::vector<std::string> all;
    for (const auto& [message, with] : messages_)
      all.push_back(combinations_.at(message) < combinations ? message + with : message);
    if (!all.empty()) throw scenario::ScenarioError(all);
  }

 private:
  std::map<std::string, std::int64_t> combinations_;  // number of combinations with each message
  // The first combination with each message.
  std::vector<std::pair<std::string, std::string>> messages_;
};

constexpr const char* kScenario = "scenario";
constexpr const char* kPolicyKey = "trainer.policy";

// The trainer's policy, if all its checkpoints use it.
std::string saves_by(const scenario::Scenario& scenario) {
  if (!scenario.trainer) return "";
  const auto& tiers = scenario.trainer->tiers;
  const bool alone = std::ranges::all_of(
      tiers, [](const guest::CheckpointTier& tier) { return tier.policy.empty(); });
  return alone ? scenario.trainer->policy : "";
}

RunPolicies run_policies_of(const scenario::Scenario& scenario, scenario::Overrides variant) {
  RunPolicies run = sweep::run_policies_of(saves_by(scenario), "");
  if (!run.saves.empty())
    std::erase_if(variant, [](const scenario::Override& o) { return o.key == kPolicyKey; });
  run.with = told(variant);
  return run;
}

Axis axis_of(const OverrideAxis& axis) {
  Axis all{axis.keys, {}};
  for (const scenario::Overrides& point : axis.points) {
    all.points.emplace_back();
    for (const scenario::Override& o : point) all.points.back().push_back(o.value);
  }
  return all;
}

}  // namespace

scenario::Overrides ScenarioPlan::overrides(std::size_t setting, std::size_t variant) const {
  scenario::Overrides all = fixed;
  for (const scenario::Overrides* more : {&settings.points[setting], &comparison(variant)})
    all.insert(all.end(), more->begin(), more->end());
  return all;
}

ScenarioSweep::ScenarioSweep(ScenarioPlan plan) : plan_(std::move(plan)) {
  CombinationErrors errors;
  std::map<fs::path, scenario::ScenarioText> texts;  // each parsed once
  for (std::size_t setting = 0; setting < plan_.settings.points.size(); ++setting) {
    for (std::size_t variant = 0; variant < plan_.variants(); ++variant) {
      const scenario::Overrides overrides = plan_.overrides(setting, variant);
      const ScenarioFile& scenario = plan_.scenario(variant);
      try {
        auto& text = texts.try_emplace(scenario.file, scenario.text, scenario.file).first->second;
        combinations_.emplace_back(text.read(overrides), plan_.guest);
      } catch (const scenario::ScenarioError& error) {
        for (const std::string& message : error.messages()) errors.add(message, overrides);
      } catch (const run::RunError& error) {
        errors.add(error.what() + hint(), overrides);
      }
    }
  }
  const std::size_t combinations = plan_.settings.points.size() * plan_.variants();
  errors.throw_any(static_cast<std::int64_t>(combinations));
  for (std::size_t i = 0; i < combinations_.size(); ++i) {
    const scenario::Scenario& scenario = combinations_[i].scenario();
    scenario::Overrides variant = plan_.comparison(i % plan_.variants());
    if (plan_.scenarios.size() > 1) variant.insert(variant.begin(), {kScenario, scenario.name, ""});
    grid_.run_policies.push_back(run_policies_of(scenario, variant));
  }
  const scenario::Scenario& first = combinations_.front().scenario();
  if (plan_.seeds.empty()) plan_.seeds = {first.seed};
  grid_.settings = axis_of(plan_.settings);
  grid_.cases.columns = {"seed"};
  for (const std::uint64_t seed : plan_.seeds) grid_.cases.points.push_back({std::to_string(seed)});
  grid_.variants = variants();
  check_names();
  grid_.measures = sweep::common_measures();
  for (const ResultMeasure& own : result_measures()) grid_.measures.push_back(own.measure);
}

// Scripts of the user need process guests.
std::string ScenarioSweep::hint() const {
  return plan_.guest == scenario::GuestKind::kFiber
             ? "; `guest: process` in the sweep runs the scripts themselves"
             : "";
}

// Each variant has its scenario's name. It is printed if there are several scenarios, or if nothing
// else distinguishes variants.
Axis ScenarioSweep::variants() const {
  const Axis compared = axis_of(plan_.compared);
  Axis all{{kScenario}, {}};
  if (plan_.scenarios.size() == 1 && !plan_.compared.keys.empty()) all.shared = 1;
  all.columns.insert(all.columns.end(), compared.columns.begin(), compared.columns.end());
  for (std::size_t i = 0; i < plan_.variants(); ++i) {
    const auto& more = compared.points[i % compared.points.size()];
    all.points.push_back({combinations_[i].scenario().name});
    all.points.back().insert(all.points.back().end(), more.begin(), more.end());
  }
  return all;
}

// Scenarios need different names, because these identify variants.
void ScenarioSweep::check_names() const {
  std::set<std::vector<std::string>> names;
  for (const auto& point : grid_.variants.points)
    if (plan_.scenarios.size() > 1 && !names.insert(point).second)
      throw scenario::ScenarioError({fmt::format(
          "scenario: found two that are named {}, expected scenarios of different names",
          point.front())});
}

const Combination& ScenarioSweep::combination(std::int64_t run) const {
  return combinations_[static_cast<std::size_t>(grid_.setting_of(run) * grid_.variants.size() +
                                                grid_.variant_of(run))];
}

std::uint64_t ScenarioSweep::seed(std::int64_t run) const {
  return plan_.seeds[static_cast<std::size_t>(grid_.case_of(run))];
}

std::string ScenarioSweep::replay(std::int64_t run) const {
  const auto setting = static_cast<std::size_t>(grid_.setting_of(run));
  const auto variant = static_cast<std::size_t>(grid_.variant_of(run));
  return fmt::format("spotsim run {}{} --seed {} --guest {}", plan_.scenario(variant).file.string(),
                     scenario::as_arguments(plan_.overrides(setting, variant)), seed(run),
                     scenario::name(plan_.guest));
}

// Makes a run, adds its row and returns the fingerprint of its log.
std::string ScenarioSweep::make(std::int64_t run, LogText text, Rows& rows) const {
  try {
    const Combination& made = combination(run);
    const run::RunReport report = made.run(seed(run), text, stop_);
    if (!report.result) throw run::RunError("the run was stopped");
    put(*report.result, made.scenario(), rows.add(run));
    for (const result::MissingAction& missing : report.result->missing_actions)
      rows.missing_actions.insert(result::action_of(missing.service, missing.action));
    return report.fingerprint;
  } catch (const std::runtime_error& error) {
    throw run::RunError(fmt::format("{}\n  in the run: {}", error.what(), replay(run)));
  }
}

// With fiber guests, the log of each combination's first run covers the influence of programs and
// models.
Fingerprint ScenarioSweep::make_fingerprint() const {
  ContentHash hash;
  hash.add(std::to_string(kVersion));
  for (const ScenarioFile& scenario : plan_.scenarios) hash.add(scenario.text);
  std::set<std::pair<std::string, fs::path>> inputs;  // names in scenarios, and the files
  for (std::size_t i = 0; i < combinations_.size(); ++i) {
    const std::size_t variant = i % plan_.variants();
    hash.add(scenario::as_arguments(plan_.overrides(i / plan_.variants(), variant)));
    const fs::path folder = plan_.scenario(variant).file.parent_path();
    for (const std::string& input : combinations_[i].scenario().inputs)
      inputs.emplace(input, folder / input);
  }
  for (const std::uint64_t seed : plan_.seeds) hash.add(std::to_string(seed));
  for (const auto& [name, input] : inputs) {
    hash.add(name);
    hash.add_input(input);
  }
  Rows rows(grid_.measures.size());
  if (needs_processes()) {
    for (const char* program : {"spotsim", "spotrun", "spottrain"})
      hash.add_file(programs_folder() / program);
    return {hash.hex(), std::move(rows)};
  }
  for (std::int64_t setting = 0; setting < grid_.settings.size(); ++setting)
    for (std::int64_t variant = 0; variant < grid_.variants.size(); ++variant)
      hash.add(make(setting * grid_.cases.size() * grid_.variants.size() + variant,
                    LogText::kRendered, rows));
  return {hash.hex(), std::move(rows)};
}

Rows ScenarioSweep::run(std::span<const std::int64_t> blocks) const {
  Rows rows(grid_.measures.size());
  for (const std::int64_t run : blocks) make(run, LogText::kNone, rows);
  return rows;
}

std::vector<std::string> ScenarioSweep::failures(const Rows& rows) const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = rows.measures(i);
    if (row[sweep::kFinished] == 1 && row[kBroken] == 0) continue;
    std::string what = kOutcomes.at(static_cast<std::size_t>(row[kOutcome]));
    if (row[kBroken] > 0) what += fmt::format(", {} invariants broken", row[kBroken]);
    all.push_back(fmt::format("{}: {}", what, replay(rows.run(i))));
  }
  return all;
}

}  // namespace sim::sweep
