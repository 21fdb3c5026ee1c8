// Alarms: their settings, states and tags.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "fakes/cloudwatch/actions.h"
#include "fakes/cloudwatch/requests.h"

namespace fakes::cloudwatch {
namespace {

using sim::monitoring::AlarmRule;
using sim::monitoring::AlarmSettings;
using sim::monitoring::AlarmState;
using Asked = op::PutMetricAlarm::Request;

ApiError invalid(const std::string& message) { return {"ValidationError", message}; }

sim::monitoring::Statistic statistic_of(const Asked& asked) {
  if (asked.statistic.has_value() == asked.extended_statistic.has_value())
    throw invalid("Exactly one of Statistic and ExtendedStatistic must be set.");
  if (asked.statistic) return sim::monitoring::parse_statistic(*asked.statistic);
  auto statistic = sim::monitoring::parse_statistic(*asked.extended_statistic);
  if (!statistic.percent)
    throw invalid(fmt::format("The value {} for parameter ExtendedStatistic is not supported.",
                              statistic.name));
  return statistic;
}

AlarmRule rule_of(const Asked& asked) {
  constexpr std::int64_t kMostPeriods = 7 * 86400 / 10;
  const std::int64_t periods = *asked.evaluation_periods;
  if (periods > kMostPeriods)
    throw invalid("Metrics cannot be checked across more than seven days.");
  const std::int64_t to_alarm = asked.datapoints_to_alarm.value_or(periods);
  if (to_alarm > periods)
    throw invalid(
        fmt::format("The DatapointsToAlarm {} must not be greater than the EvaluationPeriods {}.",
                    to_alarm, periods));
  if (!asked.threshold || !std::isfinite(*asked.threshold))
    throw invalid("The parameter Threshold must be a number.");
  const auto comparison = sim::monitoring::parse_comparison(*asked.comparison_operator);
  if (!comparison)
    throw ApiError("UnsupportedOperation",
                   fmt::format("The ComparisonOperator {} is for anomaly detection, which is not "
                               "part of this simulated AWS.",
                               *asked.comparison_operator));
  const auto missing =
      sim::monitoring::parse_missing_data(asked.treat_missing_data.value_or("missing"));
  if (!missing)
    throw invalid(fmt::format("Option {} is not one of breaching, notBreaching, ignore, missing.",
                              *asked.treat_missing_data));
  return {.periods = static_cast<int>(periods),
          .to_alarm = static_cast<int>(to_alarm),
          .threshold = *asked.threshold,
          .comparison = *comparison,
          .missing = *missing};
}

// The period, together with the evaluation periods at most a day, or a week for periods of an hour
// and more (API reference, PutMetricAlarm).
sim::Duration period_in(const Asked& asked, const AlarmRule& rule) {
  if (!asked.period) throw invalid("The parameter Period is missing.");
  if (*asked.period < 10) throw invalid("The parameter Period must be at least 10.");
  const sim::Duration period = period_of(*asked.period);
  const bool is_long = period >= std::chrono::hours(1);
  if (period * rule.periods > std::chrono::hours(is_long ? 7 * 24 : 24))
    throw invalid(
        fmt::format("Metrics cannot be checked across more than {} "
                    "(EvaluationPeriods * Period must be <= {}).",
                    is_long ? "seven days" : "a day", is_long ? 604800 : 86400));
  return period;
}

AlarmSettings settings_of(const Asked& asked) {
  if (!asked.namespace_ || !asked.metric_name)
    throw invalid("The parameters MetricName and Namespace must be set.");
  const std::string low_samples = asked.evaluate_low_sample_count_percentile.value_or("");
  if (!low_samples.empty() && low_samples != "evaluate" && low_samples != "ignore")
    throw invalid(fmt::format("Option {} is not one of evaluate, ignore.", low_samples));
  AlarmSettings settings{
      .name = *asked.alarm_name,
      .description = asked.alarm_description,
      .metric = metric_of(*asked.namespace_, *asked.metric_name, asked.dimensions),
      .statistic = statistic_of(asked),
      .unit = asked.unit.value_or(""),
      .rule = rule_of(asked),
      .states_to_alarm = asked.datapoints_to_alarm.has_value(),
      .states_missing = asked.treat_missing_data.has_value(),
      .low_samples = low_samples,
      .actions_enabled = asked.actions_enabled.value_or(true)};
  settings.period = period_in(asked, settings.rule);
  settings.actions = {{AlarmState::kOk, asked.ok_actions},
                      {AlarmState::kAlarm, asked.alarm_actions},
                      {AlarmState::kInsufficientData, asked.insufficient_data_actions}};
  return settings;
}

}  // namespace

op::PutMetricAlarm::Response put_metric_alarm(Call& call, const Asked& request) {
  const AlarmSettings settings = settings_of(request);
  for (const auto& [state, actions] : settings.actions)
    for (const std::string& action : actions) check_action(call.backend, settings.metric, action);
  std::map<std::string, std::string> tags;
  for (const auto& tag : request.tags) tags[*tag.key] = *tag.value;
  monitoring(call.backend).alarms.put(settings, tags);
  return {};
}

// "If you specify any incorrect alarm names, the alarms you specify with correct names are still
// deleted" (CloudWatch API reference, DeleteAlarms).
op::DeleteAlarms::Response delete_alarms(Call& call, const op::DeleteAlarms::Request& request) {
  auto& alarms = monitoring(call.backend).alarms;
  for (const std::string& name : request.alarm_names) alarms.remove(name);
  return {};
}

op::SetAlarmState::Response set_alarm_state(Call& call, const op::SetAlarmState::Request& request) {
  const std::string data = request.state_reason_data.value_or("");
  if (!data.empty() && !sim::Json::accept(data))
    throw ApiError("InvalidFormat", "The parameter StateReasonData is not valid JSON.");
  monitoring(call.backend)
      .alarms.set_state(*request.alarm_name,
                        *sim::monitoring::parse_alarm_state(*request.state_value),
                        *request.state_reason, data);
  return {};
}

op::EnableAlarmActions::Response enable_actions(Call& call,
                                                const op::EnableAlarmActions::Request& request) {
  for (const std::string& name : request.alarm_names)
    monitoring(call.backend).alarms.enable_actions(name, true);
  return {};
}

op::DisableAlarmActions::Response disable_actions(Call& call,
                                                  const op::DisableAlarmActions::Request& request) {
  for (const std::string& name : request.alarm_names)
    monitoring(call.backend).alarms.enable_actions(name, false);
  return {};
}

op::TagResource::Response tag_resource(Call& call, const op::TagResource::Request& request) {
  auto& tags = monitoring(call.backend).alarms.tags(*request.resource_arn);
  for (const auto& tag : request.tags) tags[*tag.key] = *tag.value;
  return {};
}

op::UntagResource::Response untag_resource(Call& call, const op::UntagResource::Request& request) {
  auto& tags = monitoring(call.backend).alarms.tags(*request.resource_arn);
  for (const std::string& key : request.tag_keys) tags.erase(key);
  return {};
}

op::ListTagsForResource::Response list_tags(Call& call,
                                            const op::ListTagsForResource::Request& request) {
  op::ListTagsForResource::Response response;
  response.tags.give();
  for (const auto& [key, value] : monitoring(call.backend).alarms.tags(*request.resource_arn))
    response.tags.push_back({.key = key, .value = value});
  return response;
}

}  // namespace fakes::cloudwatch
