#include "sim/monitoring/evaluation.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace sim::monitoring {
namespace {

template <class Value>
struct Named {
  Value value;
  std::string_view name;
};

constexpr Named<AlarmState> kStates[] = {{AlarmState::kOk, "OK"},
                                         {AlarmState::kAlarm, "ALARM"},
                                         {AlarmState::kInsufficientData, "INSUFFICIENT_DATA"}};
constexpr Named<Comparison> kComparisons[] = {
    {Comparison::kGreaterOrEqual, "GreaterThanOrEqualToThreshold"},
    {Comparison::kGreater, "GreaterThanThreshold"},
    {Comparison::kLess, "LessThanThreshold"},
    {Comparison::kLessOrEqual, "LessThanOrEqualToThreshold"}};
constexpr Named<Comparison> kWords[] = {{Comparison::kGreaterOrEqual, "greater than or equal to"},
                                        {Comparison::kGreater, "greater than"},
                                        {Comparison::kLess, "less than"},
                                        {Comparison::kLessOrEqual, "less than or equal to"}};
constexpr Named<MissingData> kTreatments[] = {{MissingData::kMissing, "missing"},
                                              {MissingData::kIgnore, "ignore"},
                                              {MissingData::kBreaching, "breaching"},
                                              {MissingData::kNotBreaching, "notBreaching"}};

template <class Value, std::size_t kCount>
std::string_view name_in(const Named<Value> (&rows)[kCount], Value value) {
  return std::ranges::find(rows, value, &Named<Value>::value)->name;
}

template <class Value, std::size_t kCount>
std::optional<Value> value_in(const Named<Value> (&rows)[kCount], std::string_view name) {
  const auto found = std::ranges::find(rows, name, &Named<Value>::name);
  return found == std::end(rows) ? std::nullopt : std::optional(found->value);
}

using Range = std::vector<std::optional<EvaluatedPoint>>;

// The state where fewer datapoints exist than evaluation periods, and none or too few breach.
std::optional<AlarmState> with_missing(const AlarmRule& rule, const Range& range,
                                       const Evaluation& so_far, int breaching) {
  const int present = static_cast<int>(so_far.points.size());
  if (rule.missing == MissingData::kBreaching)
    return breaching + so_far.missing >= rule.to_alarm ? AlarmState::kAlarm : AlarmState::kOk;
  if (rule.missing == MissingData::kNotBreaching) return AlarmState::kOk;
  if (breaching < present) return AlarmState::kOk;
  if (rule.missing == MissingData::kIgnore) return {};
  if (present == 0) return AlarmState::kInsufficientData;
  // All existing datapoints breach. To avoid a premature alarm, the oldest of them must be as old
  // as the datapoints to alarm.
  const auto oldest =
      std::ranges::find_if(range, [](const auto& each) { return each.has_value(); });
  if (range.end() - oldest >= rule.to_alarm) return AlarmState::kAlarm;
  return {};
}

std::string points_of(const Evaluation& evaluation) {
  std::string text;
  for (const EvaluatedPoint& point : evaluation.points) {
    const auto at = std::chrono::time_point_cast<std::chrono::seconds>(
        std::chrono::sys_time<Duration>(point.at.time_since_epoch()));
    text += fmt::format("{}{} ({:%d/%m/%y %H:%M:%S})", text.empty() ? "" : ", ", point.value, at);
  }
  return text;
}

std::string plural(int count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string with_decimal(double number) {
  std::string text = fmt::format("{}", number);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::string_view name(AlarmState state) { return name_in(kStates, state); }
std::string_view name(Comparison comparison) { return name_in(kComparisons, comparison); }
std::string_view name(MissingData treatment) { return name_in(kTreatments, treatment); }
std::optional<AlarmState> parse_alarm_state(std::string_view text) {
  return value_in(kStates, text);
}
std::optional<Comparison> parse_comparison(std::string_view text) {
  return value_in(kComparisons, text);
}
std::optional<MissingData> parse_missing_data(std::string_view text) {
  return value_in(kTreatments, text);
}

bool breaches(const AlarmRule& rule, double value) {
  switch (rule.comparison) {
    case Comparison::kGreaterOrEqual:
      return value >= rule.threshold;
    case Comparison::kGreater:
      return value > rule.threshold;
    case Comparison::kLess:
      return value < rule.threshold;
    case Comparison::kLessOrEqual:
      break;
  }
  return value <= rule.threshold;
}

Evaluation evaluate(const AlarmRule& rule, const Range& range) {
  Evaluation found{.state = {}};
  for (auto it = range.rbegin(); it != range.rend(); ++it) {
    if (static_cast<int>(found.points.size()) == rule.periods) break;
    if (*it) found.points.push_back(**it);
  }
  found.missing = rule.periods - static_cast<int>(found.points.size());
  const auto breaching = static_cast<int>(std::ranges::count_if(
      found.points, [&](const EvaluatedPoint& each) { return breaches(rule, each.value); }));
  if (breaching >= rule.to_alarm)
    found.state = AlarmState::kAlarm;
  else if (found.missing == 0)
    found.state = AlarmState::kOk;
  else
    found.state = with_missing(rule, range, found, breaching);
  return found;
}

std::string reason(const AlarmRule& rule, const Evaluation& evaluation, bool states_to_alarm) {
  const int present = static_cast<int>(evaluation.points.size());
  if (evaluation.state == AlarmState::kInsufficientData)
    return fmt::format("Insufficient Data: {} {} unknown.", plural(evaluation.missing, "datapoint"),
                       evaluation.missing == 1 ? "was" : "were");
  const bool alarm = evaluation.state == AlarmState::kAlarm;
  std::string treated;
  if (evaluation.missing > 0 &&
      (rule.missing == MissingData::kBreaching || rule.missing == MissingData::kNotBreaching))
    treated = fmt::format("{} {} treated as [{}]", plural(evaluation.missing, "missing datapoint"),
                          evaluation.missing == 1 ? "was" : "were",
                          rule.missing == MissingData::kBreaching ? "Breaching" : "NonBreaching");
  if (present == 0)
    return fmt::format("Threshold Crossed: no datapoints were received for {} and {}.",
                       plural(evaluation.missing, "period"), treated);
  const auto count = std::ranges::count_if(evaluation.points, [&](const EvaluatedPoint& each) {
    return breaches(rule, each.value) == alarm;
  });
  const auto subject = states_to_alarm ? count : present;
  const std::string crossed = fmt::format(
      "[{}] {} {}{} the threshold ({}){}{}", points_of(evaluation), subject == 1 ? "was" : "were",
      alarm ? "" : "not ", name_in(kWords, rule.comparison), with_decimal(rule.threshold),
      treated.empty() ? "" : " and ", treated);
  if (!states_to_alarm)
    return fmt::format("Threshold Crossed: {} {}.", plural(present, "datapoint"), crossed);
  const int least = alarm ? rule.to_alarm : rule.periods - rule.to_alarm + 1;
  return fmt::format(
      "Threshold Crossed: {} out of the last {} datapoints {} (minimum {} for {} transition).",
      count, present, crossed, plural(least, "datapoint"), alarm ? "OK -> ALARM" : "ALARM -> OK");
}

}  // namespace sim::monitoring
