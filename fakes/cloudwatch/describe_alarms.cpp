// Lists of alarms, and their history.
#include <algorithm>
#include <string_view>

#include "fakes/cloudwatch/actions.h"
#include "fakes/cloudwatch/requests.h"

namespace fakes::cloudwatch {
namespace {

using sim::monitoring::Alarm;
using sim::monitoring::AlarmHistoryItem;
using sim::monitoring::AlarmState;

constexpr std::int64_t kMostRecords = 100;

api::List<std::string> shown_actions(const Alarm& alarm, AlarmState state) {
  api::List<std::string> actions;
  actions.give();
  const auto found = alarm.settings.actions.find(state);
  if (found != alarm.settings.actions.end()) actions = found->second;
  return actions;
}

api::cloudwatch::MetricAlarm shown_alarm(const Alarm& alarm) {
  const auto& settings = alarm.settings;
  api::cloudwatch::MetricAlarm shown{
      .actions_enabled = settings.actions_enabled,
      .alarm_actions = shown_actions(alarm, AlarmState::kAlarm),
      .alarm_arn = alarm.arn,
      .alarm_configuration_updated_timestamp = timestamp(alarm.configured),
      .alarm_description = settings.description,
      .alarm_name = settings.name,
      .comparison_operator = std::string(name(settings.rule.comparison)),
      .dimensions = shown_dimensions(settings.metric),
      .evaluation_periods = settings.rule.periods,
      .insufficient_data_actions = shown_actions(alarm, AlarmState::kInsufficientData),
      .metric_name = settings.metric.name,
      .namespace_ = settings.metric.space,
      .ok_actions = shown_actions(alarm, AlarmState::kOk),
      .period = seconds_of(settings.period),
      .state_reason = alarm.reason,
      .state_transitioned_timestamp = timestamp(alarm.state_transitioned),
      .state_updated_timestamp = timestamp(alarm.state_updated),
      .state_value = std::string(name(alarm.state)),
      .threshold = settings.rule.threshold};
  (settings.statistic.percent ? shown.extended_statistic : shown.statistic) =
      settings.statistic.name;
  if (settings.states_to_alarm) shown.datapoints_to_alarm = settings.rule.to_alarm;
  if (settings.states_missing) shown.treat_missing_data = std::string(name(settings.rule.missing));
  if (!settings.low_samples.empty())
    shown.evaluate_low_sample_count_percentile = settings.low_samples;
  if (!settings.unit.empty()) shown.unit = settings.unit;
  if (!alarm.reason_data.empty()) shown.state_reason_data = alarm.reason_data;
  return shown;
}

bool has_action(const Alarm& alarm, const std::string& prefix) {
  return std::ranges::any_of(alarm.settings.actions, [&](const auto& of_state) {
    return std::ranges::any_of(
        of_state.second, [&](const std::string& action) { return action.starts_with(prefix); });
  });
}

bool is_asked(const Alarm& alarm, const op::DescribeAlarms::Request& request) {
  const std::string& name = alarm.settings.name;
  const auto& names = request.alarm_names;
  return (names.empty() || std::ranges::find(names, name) != names.end()) &&
         name.starts_with(request.alarm_name_prefix.value_or("")) &&
         (!request.state_value || *request.state_value == sim::monitoring::name(alarm.state)) &&
         (!request.action_prefix || has_action(alarm, *request.action_prefix));
}

// Whether a request asks for alarms on a metric. Composite alarms do not exist here.
bool asks_for_metric_alarms(const api::List<std::string>& types) {
  return types.empty() || std::ranges::find(types, "MetricAlarm") != types.end();
}

}  // namespace

op::DescribeAlarms::Response describe_alarms(Call& call,
                                             const op::DescribeAlarms::Request& request) {
  if (!request.alarm_names.empty() && request.alarm_name_prefix)
    throw ApiError("ValidationError", "AlarmNames and AlarmNamePrefix exclude each other.");
  std::vector<const Alarm*> found;
  for (const auto& [name, alarm] : monitoring(call.backend).alarms.all())
    if (asks_for_metric_alarms(request.alarm_types) && is_asked(alarm, request))
      found.push_back(&alarm);
  op::DescribeAlarms::Response response;
  response.composite_alarms.give();
  const auto most = static_cast<std::size_t>(request.max_records.value_or(kMostRecords));
  response.next_token = page(found, request.next_token, most, response.metric_alarms,
                             [](const Alarm* each) { return shown_alarm(*each); });
  return response;
}

op::DescribeAlarmsForMetric::Response describe_alarms_for_metric(
    Call& call, const op::DescribeAlarmsForMetric::Request& request) {
  const auto metric = metric_of(*request.namespace_, *request.metric_name, request.dimensions);
  const api::Opt<std::string>& statistic =
      request.statistic ? request.statistic : request.extended_statistic;
  op::DescribeAlarmsForMetric::Response response;
  response.metric_alarms.give();
  for (const auto& [name, alarm] : monitoring(call.backend).alarms.all()) {
    const auto& settings = alarm.settings;
    if (settings.metric != metric || (statistic && *statistic != settings.statistic.name) ||
        (request.period && *request.period != seconds_of(settings.period)) ||
        (request.unit && *request.unit != settings.unit))
      continue;
    response.metric_alarms.push_back(shown_alarm(alarm));
  }
  return response;
}

op::DescribeAlarmHistory::Response describe_alarm_history(
    Call& call, const op::DescribeAlarmHistory::Request& request) {
  std::vector<const AlarmHistoryItem*> found;
  for (const AlarmHistoryItem& item : monitoring(call.backend).alarms.history()) {
    if (!asks_for_metric_alarms(request.alarm_types) ||
        (request.alarm_name && *request.alarm_name != item.alarm) ||
        (request.history_item_type && *request.history_item_type != item.type) ||
        (request.start_date && time_of(*request.start_date) > item.at) ||
        (request.end_date && time_of(*request.end_date) < item.at))
      continue;
    found.push_back(&item);
  }
  if (request.scan_by.value_or("TimestampDescending") == "TimestampDescending")
    std::ranges::reverse(found);
  op::DescribeAlarmHistory::Response response;
  const auto most = static_cast<std::size_t>(request.max_records.value_or(kMostRecords));
  response.next_token =
      page(found, request.next_token, most, response.alarm_history_items,
           [](const AlarmHistoryItem* each) {
             return api::cloudwatch::AlarmHistoryItem{.alarm_name = each->alarm,
                                                      .alarm_type = "MetricAlarm",
                                                      .history_data = each->data,
                                                      .history_item_type = each->type,
                                                      .history_summary = each->summary,
                                                      .timestamp = timestamp(each->at)};
           });
  return response;
}

}  // namespace fakes::cloudwatch
