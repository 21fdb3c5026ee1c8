// How an alarm's state follows from its latest datapoints (CloudWatch User Guide, "Alarm
// evaluation" and "Configuring how CloudWatch alarms treat missing data"). These functions have no
// state.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/time.h"

namespace sim::monitoring {

enum class AlarmState { kOk, kAlarm, kInsufficientData };
enum class Comparison { kGreaterOrEqual, kGreater, kLess, kLessOrEqual };
enum class MissingData { kMissing, kIgnore, kBreaching, kNotBreaching };

// "OK", "ALARM", "INSUFFICIENT_DATA"; "GreaterThanThreshold" …; "missing" …
std::string_view name(AlarmState state);
std::string_view name(Comparison comparison);
std::string_view name(MissingData treatment);
// Empty for another text.
std::optional<AlarmState> parse_alarm_state(std::string_view text);
std::optional<Comparison> parse_comparison(std::string_view text);
std::optional<MissingData> parse_missing_data(std::string_view text);

// "M out of N": at least `to_alarm` of the latest `periods` datapoints breach.
struct AlarmRule {
  int periods = 1, to_alarm = 1;
  double threshold = 0;
  Comparison comparison = Comparison::kGreater;
  MissingData missing = MissingData::kMissing;
};

bool breaches(const AlarmRule& rule, double value);

// The number of periods of which an alarm reads datapoints: the evaluation range. AWS documents
// only that it is longer than the evaluation periods; its examples have two more.
inline int evaluation_range(const AlarmRule& rule) { return rule.periods + 2; }

// A datapoint that an alarm has evaluated.
struct EvaluatedPoint {
  Time at;
  double value = 0, sample_count = 0;
};

struct Evaluation {
  std::optional<AlarmState> state;          // empty: the alarm keeps its state
  std::vector<EvaluatedPoint> points = {};  // newest first, at most AlarmRule::periods
  int missing = 0;                          // the missing datapoints that were treated
};

// Evaluates the datapoints of the evaluation range, oldest first. An empty one is missing.
Evaluation evaluate(const AlarmRule& rule, const std::vector<std::optional<EvaluatedPoint>>& range);

// The text of AWS for a new state, such as "Threshold Crossed: 1 datapoint [99.5 (02/10/19
// 16:59:00)] was greater than the threshold (50.0)." For an alarm with DatapointsToAlarm it is
// "Threshold Crossed: 1 out of the last 1 datapoints [99.5 (02/10/19 16:59:00)] was greater than
// the threshold (50.0) (minimum 1 datapoint for OK -> ALARM transition)."
std::string reason(const AlarmRule& rule, const Evaluation& evaluation, bool states_to_alarm);

}  // namespace sim::monitoring
