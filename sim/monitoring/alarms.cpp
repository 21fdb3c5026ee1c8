#include "sim/monitoring/alarms.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "sim/events/events.h"
#include "sim/kernel/json_object.h"

namespace sim::monitoring {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

// "2019-10-02T17:04:40.985+0000"
std::string data_time(Time t) {
  std::string text = iso_milliseconds(t);
  text.pop_back();
  return text + "+0000";
}

// A percentile needs samples on both of its sides (CloudWatch User Guide, "Percentile-based
// CloudWatch alarms and low data samples").
bool has_few_samples(const AlarmSettings& settings, const Summary& summary) {
  if (!settings.statistic.percent || settings.low_samples != "ignore") return false;
  const double part = *settings.statistic.percent / 100;
  return summary.count < (part >= 0.5 ? 10 / (1 - part) : 10 / part);
}

std::string reason_data_of(const AlarmSettings& settings, const Evaluation& evaluation, Time now) {
  Json data = json_object({{"version", "1.0"}, {"queryDate", data_time(now)}});
  if (!evaluation.points.empty()) data["startDate"] = data_time(evaluation.points.back().at);
  if (!settings.unit.empty()) data["unit"] = settings.unit;
  data["statistic"] = settings.statistic.name;
  data["period"] = std::chrono::duration_cast<seconds>(settings.period).count();
  data["recentDatapoints"] = Json::array();
  data["threshold"] = settings.rule.threshold;
  data["evaluatedDatapoints"] = Json::array();
  for (auto it = evaluation.points.rbegin(); it != evaluation.points.rend(); ++it)
    data["recentDatapoints"].push_back(it->value);
  for (const EvaluatedPoint& point : evaluation.points)
    data["evaluatedDatapoints"].push_back(json_object({{"timestamp", data_time(point.at)},
                                                       {"sampleCount", point.sample_count},
                                                       {"value", point.value}}));
  return data.dump();
}

Json shown_state(const Alarm& alarm) {
  Json shown = json_object({{"stateValue", name(alarm.state)}, {"stateReason", alarm.reason}});
  if (!alarm.reason_data.empty())
    shown["stateReasonData"] = Json::parse(alarm.reason_data, nullptr, false);
  return shown;
}

Duration interval(const AlarmSettings& settings) {
  return settings.period < minutes(1) ? Duration(seconds(10)) : minutes(1);
}

}  // namespace

Alarms::Alarms(Simulation& simulation, EventLog& log, const Metrics& metrics,
               std::string arn_prefix, AlarmEffects effects)
    : simulation_(simulation),
      log_(log),
      metrics_(metrics),
      arn_prefix_(std::move(arn_prefix)),
      effects_(std::move(effects)) {}

void Alarms::put(const AlarmSettings& settings, const std::map<std::string, std::string>& tags) {
  const auto [at, is_new] = alarms_.try_emplace(settings.name);
  Alarm& alarm = at->second;
  alarm.settings = settings;
  alarm.configured = simulation_.now();
  if (is_new) {
    alarm.arn = arn_prefix_ + settings.name;
    alarm.state_updated = alarm.state_transitioned = alarm.configured;
    alarm.tags = tags;
    arm(alarm);
  }
  if (!metrics_.can_have_data(settings.metric))
    log_.append(
        events::AlarmWithoutData{.time = simulation_.now(),
                                 .alarm = settings.name,
                                 .metric = settings.metric.space + ' ' + settings.metric.name});
  const char* const type = is_new ? "Create" : "Update";
  note(alarm, "ConfigurationUpdate",
       fmt::format("Alarm \"{}\" {}d", settings.name, is_new ? "create" : "update"),
       json_object({{"version", "1.0"}, {"type", type}, {"alarmName", settings.name}}));
}

void Alarms::remove(const std::string& name) {
  const auto found = alarms_.find(name);
  if (found == alarms_.end()) return;
  if (found->second.next) simulation_.cancel(*found->second.next);
  note(found->second, "ConfigurationUpdate", fmt::format("Alarm \"{}\" deleted", name),
       json_object({{"version", "1.0"}, {"type", "Delete"}, {"alarmName", name}}));
  alarms_.erase(found);
}

const Alarm& Alarms::alarm(const std::string& name) const {
  const auto found = alarms_.find(name);
  if (found == alarms_.end())
    throw ApiError("ResourceNotFound", fmt::format("Alarm {} does not exist.", name), 404);
  return found->second;
}

void Alarms::set_state(const std::string& name, AlarmState state, const std::string& reason,
                       const std::string& reason_data) {
  change(own(name), state, reason, reason_data);
}

void Alarms::enable_actions(const std::string& name, bool enabled) {
  const auto found = alarms_.find(name);
  if (found != alarms_.end()) found->second.settings.actions_enabled = enabled;
}

std::map<std::string, std::string>& Alarms::tags(const std::string& arn) {
  for (auto& [name, alarm] : alarms_)
    if (alarm.arn == arn) return alarm.tags;
  throw ApiError("ResourceNotFoundException", fmt::format("Resource {} does not exist.", arn), 404);
}

void Alarms::arm(Alarm& alarm) {
  alarm.next = simulation_.after(interval(alarm.settings), [this, &alarm] {
    arm(alarm);
    evaluate(alarm);
  });
}

void Alarms::evaluate(Alarm& alarm) {
  const AlarmSettings& settings = alarm.settings;
  const Duration step = interval(settings);
  const Time end = Time(simulation_.now().time_since_epoch() / step * step);
  const int count = evaluation_range(settings.rule);
  std::vector<std::optional<EvaluatedPoint>> range(static_cast<std::size_t>(count));
  for (const Datapoint& point : metrics_.datapoints({.metric = settings.metric,
                                .from = end - count * settings.period,
                                .to = end,
                                .period = settings.period,
                                .unit = settings.unit})) {
    const auto value = value_of(settings.statistic, point.summary);
    if (!value) continue;
    if (has_few_samples(settings, point.summary)) return;
    const auto age = (end - point.at + settings.period - Duration(1)) / settings.period;
    range[static_cast<std::size_t>(count - age)] = {point.at, *value, point.summary.count};
  }
  const Evaluation found = monitoring::evaluate(settings.rule, range);
  if (!found.state || *found.state == alarm.state) return;
  change(alarm, *found.state, reason(settings.rule, found, settings.states_to_alarm),
         reason_data_of(settings, found, simulation_.now()));
}

void Alarms::change(Alarm& alarm, AlarmState state, std::string reason, std::string reason_data) {
  const Alarm before = alarm;
  alarm.state = state;
  alarm.reason = std::move(reason);
  alarm.reason_data = std::move(reason_data);
  alarm.state_updated = simulation_.now();
  if (state == before.state) return;
  alarm.state_transitioned = alarm.state_updated;
  log_.append(events::AlarmState{.time = simulation_.now(),
                                 .alarm = alarm.settings.name,
                                 .from = name(before.state),
                                 .to = name(state),
                                 .reason = alarm.reason});
  note(alarm, "StateUpdate",
       fmt::format("Alarm updated from {} to {}", name(before.state), name(state)),
       json_object({{"version", "1.0"},
                    {"oldState", shown_state(before)},
                    {"newState", shown_state(alarm)}}));
  effects_.changed(alarm, before);
  if (!alarm.settings.actions_enabled) return;
  const Alarm after = alarm;  // an action may change what the alarm watches
  const auto actions = after.settings.actions.find(state);
  if (actions == after.settings.actions.end()) return;
  for (const std::string& action : actions->second) act(after, before, action);
}

void Alarms::act(const Alarm& alarm, const Alarm& before, const std::string& action) {
  std::string result = "ok", error;
  try {
    effects_.act(alarm, before, action);
  } catch (const ApiError& refused) {
    result = refused.code();
    error = refused.what();
  }
  log_.append(events::AlarmAction{
      .time = simulation_.now(), .alarm = alarm.settings.name, .action = action, .result = result});
  const bool done = error.empty();
  Json data = json_object(
      {{"actionState", done ? "Succeeded" : "Failed"}, {"notificationResource", action}});
  if (!done) data["error"] = error;
  note(alarm, "Action",
       done ? fmt::format("Successfully executed action {}", action)
            : fmt::format("Failed to execute action {}", action),
       data);
}

void Alarms::note(const Alarm& alarm, const char* type, std::string summary, const Json& data) {
  constexpr std::size_t kLongestSummary = 255;
  if (summary.size() > kLongestSummary) summary.resize(kLongestSummary);
  history_.push_back({.alarm = alarm.settings.name,
                      .type = type,
                      .summary = std::move(summary),
                      .data = data.dump(-1, ' ', false, Json::error_handler_t::replace),
                      .at = simulation_.now()});
}

}  // namespace sim::monitoring
