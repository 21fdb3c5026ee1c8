// An alarm's new state as EventBridge and SNS have it (CloudWatch User Guide, "Alarm events and
// EventBridge" and "Notifying users on alarm changes").
#include <algorithm>
#include <cctype>
#include <chrono>

#include "fakes/cloudwatch/requests.h"
#include "fakes/messaging.h"
#include "fakes/region_names.h"
#include "sim/kernel/json_object.h"

namespace fakes::cloudwatch {
namespace {

using sim::Json;
using sim::json_object;
using sim::monitoring::Alarm;
using sim::monitoring::AlarmState;

// "2019-10-02T17:04:40.985+0000"
std::string event_time(sim::Time t) {
  std::string text = sim::iso_milliseconds(t);
  text.pop_back();
  return text + "+0000";
}

Json state_of(const Alarm& alarm) {
  Json state = json_object({{"reason", alarm.reason}});
  if (!alarm.reason_data.empty()) state["reasonData"] = alarm.reason_data;
  state["timestamp"] = event_time(alarm.state_updated);
  state["value"] = name(alarm.state);
  return state;
}

Json configuration_of(const Alarm& alarm, const std::string& id) {
  const auto& settings = alarm.settings;
  Json statistic = json_object({{"metric", json_object({{"dimensions", settings.metric.dimensions},
                                                        {"name", settings.metric.name},
                                                        {"namespace", settings.metric.space}})},
                                {"period", seconds_of(settings.period)},
                                {"stat", settings.statistic.name}});
  if (!settings.unit.empty()) statistic["unit"] = settings.unit;
  Json configuration = Json::object();
  if (settings.description) configuration["description"] = *settings.description;
  configuration["metrics"] = Json::array();
  configuration["metrics"].push_back(
      json_object({{"id", id}, {"metricStat", std::move(statistic)}, {"returnData", true}}));
  return configuration;
}

Json actions_of(const Alarm& alarm, AlarmState state) {
  const auto found = alarm.settings.actions.find(state);
  return found == alarm.settings.actions.end() ? Json::array() : Json(found->second);
}

Json trigger_of(const Alarm& alarm) {
  const auto& settings = alarm.settings;
  std::string statistic = settings.statistic.name;
  if (!settings.statistic.percent)
    std::ranges::transform(statistic, statistic.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  Json dimensions = Json::array();
  for (const auto& [name, value] : settings.metric.dimensions)
    dimensions.push_back(json_object({{"value", value}, {"name", name}}));
  Json trigger = json_object(
      {{"MetricName", settings.metric.name},
       {"Namespace", settings.metric.space},
       {"StatisticType", settings.statistic.percent ? "ExtendedStatistic" : "Statistic"},
       {settings.statistic.percent ? "ExtendedStatistic" : "Statistic", statistic},
       {"Unit", settings.unit.empty() ? Json() : Json(settings.unit)},
       {"Dimensions", std::move(dimensions)},
       {"Period", seconds_of(settings.period)},
       {"EvaluationPeriods", settings.rule.periods},
       {"ComparisonOperator", name(settings.rule.comparison)},
       {"Threshold", settings.rule.threshold},
       {"TreatMissingData", name(settings.rule.missing)},
       {"EvaluateLowSampleCountPercentile", settings.low_samples}});
  if (settings.states_to_alarm) trigger["DatapointsToAlarm"] = settings.rule.to_alarm;
  return trigger;
}

}  // namespace

void put_state_event(Backend& backend, const Alarm& alarm, const Alarm& before) {
  if (!backend.messaging) return;
  const std::string id = monitoring(backend).ids.uuid("alarm-metric");
  backend.messaging->buses.put(
      "default", {.source = "aws.cloudwatch",
                  .detail_type = "CloudWatch Alarm State Change",
                  .resources = {alarm.arn},
                  .detail = json_object({{"alarmName", alarm.settings.name},
                                         {"configuration", configuration_of(alarm, id)},
                                         {"previousState", state_of(before)},
                                         {"state", state_of(alarm)}})});
}

std::string notification(const Backend& backend, const Alarm& alarm, const Alarm& before) {
  const auto& config = backend.cloud.config();
  const auto& description = alarm.settings.description;
  return json_object({{"AlarmName", alarm.settings.name},
                      {"AlarmDescription", description ? Json(*description) : Json()},
                      {"AWSAccountId", config.account_id},
                      {"AlarmConfigurationUpdatedTimestamp", event_time(alarm.configured)},
                      {"NewStateValue", name(alarm.state)},
                      {"NewStateReason", alarm.reason},
                      {"StateChangeTime", event_time(alarm.state_updated)},
                      {"Region", region_name(config.region)},
                      {"AlarmArn", alarm.arn},
                      {"OldStateValue", name(before.state)},
                      {"OKActions", actions_of(alarm, AlarmState::kOk)},
                      {"AlarmActions", actions_of(alarm, AlarmState::kAlarm)},
                      {"InsufficientDataActions", actions_of(alarm, AlarmState::kInsufficientData)},
                      {"Trigger", trigger_of(alarm)}})
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace fakes::cloudwatch
