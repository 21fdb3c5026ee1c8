#include "sim/result/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace sim::result {
namespace {

using Kind = ExpectedKind;
using Found = std::variant<std::monostate, double, bool, std::vector<std::string>>;

// The figures that a scenario can expect: a row each.
struct Expected {
  const char* key;
  Kind kind;
  Found (*find)(const Result&);
};

template <class Field>
std::vector<std::string> of_attempts(const Result& r, Field field) {
  std::vector<std::string> list;
  for (const Attempt& a : r.attempts) list.push_back(a.*field);
  return list;
}

Found optional_number(const std::optional<double>& value) {
  return value ? Found(*value) : Found();
}

constexpr std::string_view kBrokenInvariants = "broken_invariants";

const std::array<Expected, 27> kRows{{
    {"outcome", Kind::kWord,
     [](const Result& r) -> Found { return std::vector<std::string>{r.outcome}; }},
    {"attempts", Kind::kCount,
     [](const Result& r) -> Found { return static_cast<double>(r.attempts.size()); }},
    {"availability_zones", Kind::kWords,
     [](const Result& r) -> Found { return of_attempts(r, &Attempt::availability_zone); }},
    {"instance_types", Kind::kWords,
     [](const Result& r) -> Found { return of_attempts(r, &Attempt::instance_type); }},
    {"end_reasons", Kind::kWords,
     [](const Result& r) -> Found { return of_attempts(r, &Attempt::end_reason); }},
    {"training_jobs", Kind::kWords,
     [](const Result& r) -> Found {
       std::vector<std::string> list;
       for (const TrainingJobEnd& job : r.training_jobs) list.push_back(job.secondary_status);
       return list;
     }},
    {"stacks", Kind::kWords,
     [](const Result& r) -> Found {
       std::vector<std::string> list;
       for (const StackEnd& stack : r.stacks) list.push_back(stack.status);
       return list;
     }},
    {"missing_permissions", Kind::kWords,
     [](const Result& r) -> Found {
       std::vector<std::string> list;
       for (const MissingPermission& one : r.missing_permissions) list.push_back(one.action);
       return list;
     }},
    {"training_savings", Kind::kRatio,
     [](const Result& r) -> Found {
       return r.training_jobs.empty() ? Found() : optional_number(r.training_jobs[0].savings());
     }},
    {"steps_total", Kind::kCount,
     [](const Result& r) -> Found { return static_cast<double>(r.steps_total); }},
    {"lost_steps", Kind::kCount,
     [](const Result& r) -> Found { return static_cast<double>(r.lost_steps); }},
    {"lost_time", Kind::kDuration, [](const Result& r) -> Found { return seconds(r.lost_time); }},
    {"checkpoint_overhead", Kind::kDuration,
     [](const Result& r) -> Found { return seconds(r.checkpoint_overhead); }},
    {"restart_overhead", Kind::kDuration,
     [](const Result& r) -> Found { return seconds(r.restart_overhead); }},
    {"waiting", Kind::kDuration, [](const Result& r) -> Found { return seconds(r.time.waiting); }},
    {"makespan", Kind::kDuration, [](const Result& r) -> Found { return seconds(r.makespan); }},
    {"tagged_volumes", Kind::kCount,
     [](const Result& r) -> Found { return static_cast<double>(r.at_end.tagged_volumes); }},
    {"running_instances", Kind::kCount,
     [](const Result& r) -> Found { return static_cast<double>(r.at_end.running_instances); }},
    {"active_fleets", Kind::kCount,
     [](const Result& r) -> Found { return static_cast<double>(r.at_end.active_fleets); }},
    {"snapshots", Kind::kCount,
     [](const Result& r) -> Found { return static_cast<double>(r.at_end.snapshots); }},
    {"cost", Kind::kUsd, [](const Result& r) -> Found { return r.money.total.dollars(); }},
    {"baseline_cost", Kind::kUsd,
     [](const Result& r) -> Found {
       return r.baseline_cost ? Found(r.baseline_cost->dollars()) : Found();
     }},
    {"savings", Kind::kRatio, [](const Result& r) -> Found { return optional_number(r.savings); }},
    {"deadline_met", Kind::kFlag,
     [](const Result& r) -> Found { return r.deadline_met ? Found(*r.deadline_met) : Found(); }},
    {"state_kept", Kind::kFlag,
     [](const Result& r) -> Found { return r.evidence.kept ? Found(*r.evidence.kept) : Found(); }},
    {kBrokenInvariants.data(), Kind::kInvariants,
     [](const Result& r) -> Found {
       std::vector<std::string> list;
       for (const Verdict& v : r.invariants)
         if (!v.holds) list.push_back(v.id);
       return list;
     }},
    {"struck", Kind::kStruck,
     [](const Result& r) -> Found {
       return static_cast<double>(
           std::ranges::count_if(r.plan, [](const auto& entry) { return entry.strikes > 0; }));
     }},
}};

const Expected& row_of(std::string_view key) {
  return *std::ranges::find(kRows, key,
                            [](const Expected& row) { return std::string_view(row.key); });
}

std::string show(const Found& found, Kind kind) {
  if (std::holds_alternative<std::monostate>(found)) return "unknown";
  if (const auto* flag = std::get_if<bool>(&found)) return *flag ? "true" : "false";
  if (const auto* words = std::get_if<std::vector<std::string>>(&found)) {
    const std::string list = fmt::format("{}", fmt::join(*words, ", "));
    return kind == Kind::kWord ? list : "[" + list + "]";
  }
  const double number = std::get<double>(found);
  if (kind == Kind::kDuration) return fmt::format("{}", format_duration(from_seconds(number)));
  if (kind == Kind::kCount || kind == Kind::kStruck) return fmt::format("{:.0f}", number);
  return fmt::format("{:.4f}", number);
}

bool satisfies(const Expectation& expectation, const Found& found) {
  if (const auto* bounds = std::get_if<Bounds>(&expectation.wanted)) {
    const auto* number = std::get_if<double>(&found);
    // A tolerance of half a micro-unit: bounds are decimal numbers, values are sums of binary
    // fractions.
    constexpr double kSlack = 5e-7;
    return number && (!bounds->min || *number >= *bounds->min - kSlack) &&
           (!bounds->max || *number <= *bounds->max + kSlack);
  }
  if (const auto* words = std::get_if<std::vector<std::string>>(&expectation.wanted)) {
    const auto* list = std::get_if<std::vector<std::string>>(&found);
    return list && *list == *words;
  }
  if (const auto* first = std::get_if<FirstWords>(&expectation.wanted)) {
    const auto* list = std::get_if<std::vector<std::string>>(&found);
    return list && list->size() >= first->words.size() &&
           std::equal(first->words.begin(), first->words.end(), list->begin());
  }
  if (const auto* each = std::get_if<EachOf>(&expectation.wanted)) {
    const auto* list = std::get_if<std::vector<std::string>>(&found);
    return list && std::ranges::all_of(each->words, [&](const std::string& word) {
             return std::ranges::find(*list, word) != list->end();
           });
  }
  const auto* flag = std::get_if<bool>(&found);
  return flag && *flag == std::get<bool>(expectation.wanted);
}

// Whether a run in which nothing goes wrong meets the expectation. Such an expectation excuses no
// breach.
bool is_ordinary(const Expectation& expectation) {
  static const std::pair<std::string_view, Found> kOrdinary[] = {
      {"outcome", std::vector<std::string>{"completed"}},
      {"state_kept", true},
      {"tagged_volumes", 1.0},
      {"running_instances", 0.0},
      {"active_fleets", 0.0},
      {"snapshots", 0.0}};
  return std::ranges::any_of(kOrdinary, [&](const auto& row) {
    return row.first == expectation.key && satisfies(expectation, row.second);
  });
}

}  // namespace

std::vector<ExpectedKey> expected_keys() {
  std::vector<ExpectedKey> keys;
  for (const Expected& row : kRows) keys.push_back({row.key, row.kind});
  return keys;
}

namespace {

// Judges whether every planned strike of this run had an effect. With `named` only entries that
// name an instance count.
Verdict all_struck(const std::string& text, const Result& result, bool only_named) {
  std::vector<std::string> idle;
  for (const PlannedStrike& entry : result.plan)
    if (entry.part && entry.strikes == 0 && (entry.names_instance || !only_named))
      idle.push_back(fmt::format("{} had no effect ({})", entry.entry, entry.remark));
  return {text, idle.empty(), idle.empty() ? "all" : fmt::format("{}", fmt::join(idle, "; "))};
}

}  // namespace

std::vector<Verdict> judge(const std::vector<Expectation>& expectations, const Result& result) {
  std::vector<Verdict> verdicts;
  for (const Expectation& expectation : expectations) {
    const Expected& row = row_of(expectation.key);
    if (std::holds_alternative<AllStruck>(expectation.wanted)) {
      verdicts.push_back(all_struck(expectation.text, result, false));
      continue;
    }
    const Found found = row.find(result);
    verdicts.push_back({expectation.text, satisfies(expectation, found), show(found, row.kind)});
  }
  const auto stated = [&](std::string_view key) {
    return std::ranges::find(expectations, key, &Expectation::key) != expectations.end();
  };
  if (result.outcome == "failed" && !stated("outcome"))
    verdicts.push_back({"outcome: not failed (by default)", false, result.outcome});
  if (result.outcome == "unproven" && !stated("outcome"))
    verdicts.push_back({"outcome: the job trained (by default)", false,
                        "no evidence: no trainer reported a step"});
  const Verdict named =
      all_struck("struck: every entry that names an instance (by default)", result, true);
  if (!named.holds && !stated("struck")) verdicts.push_back(named);
  return verdicts;
}

namespace {

bool names(const Expectation& expectation, const std::string& invariant) {
  const auto* const named = std::get_if<EachOf>(&expectation.wanted);
  return named && std::ranges::find(named->words, invariant) != named->words.end();
}

bool states(const Expectation& expectation, const Verdict::Figure& figure, const Result& result) {
  if (expectation.key != figure.key || is_ordinary(expectation)) return false;
  return satisfies(expectation,
                   figure.value ? Found(*figure.value) : row_of(figure.key).find(result));
}

// The expectations that together state all figures of the breach. Empty if a figure is stated by
// none.
std::vector<std::string> excuses_of(const Verdict& broken,
                                    const std::vector<Expectation>& expectations,
                                    const Result& result) {
  for (const Expectation& e : expectations)
    if (names(e, broken.id)) return {e.text};
  std::vector<std::string> excuses;
  for (const Verdict::Figure& figure : broken.about) {
    const auto stated = std::ranges::find_if(
        expectations, [&](const Expectation& e) { return states(e, figure, result); });
    if (stated == expectations.end()) return {};
    excuses.push_back(stated->text);
  }
  return excuses;
}

}  // namespace

void excuse(const std::vector<Expectation>& expectations, Result& result) {
  for (Verdict& v : result.invariants)
    if (!v.holds) v.excused_by = excuses_of(v, expectations, result);
}

bool as_expected(const Result& result) {
  const auto fails = [](const Verdict& v) { return v.fails(); };
  return std::none_of(result.expectations.begin(), result.expectations.end(), fails) &&
         std::none_of(result.invariants.begin(), result.invariants.end(), fails);
}

}  // namespace sim::result
