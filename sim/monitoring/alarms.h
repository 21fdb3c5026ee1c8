// The alarms of an account: their settings, states, history and actions (CloudWatch User Guide,
// "Using Amazon CloudWatch alarms").
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/cloud/error.h"
#include "sim/events/event_log.h"
#include "sim/monitoring/evaluation.h"
#include "sim/monitoring/metrics.h"

namespace sim::monitoring {

using cloud::ApiError;

// The actions of a state, by their ARNs.
using Actions = std::map<AlarmState, std::vector<std::string>>;

struct AlarmSettings {
  std::string name;
  std::optional<std::string> description = {};
  Metric metric;
  Statistic statistic;
  Duration period = std::chrono::minutes(1);
  std::string unit = {};  // empty: any
  AlarmRule rule;
  bool states_to_alarm = false;  // the client has set DatapointsToAlarm
  bool states_missing = false;   // the client has set TreatMissingData
  std::string low_samples = {};  // EvaluateLowSampleCountPercentile; empty: not set
  bool actions_enabled = true;
  Actions actions = {};
};

struct Alarm {
  AlarmSettings settings;
  std::string arn;
  AlarmState state = AlarmState::kInsufficientData;
  std::string reason = "Unchecked: Initial alarm creation";
  std::string reason_data = {};  // JSON; empty: none
  Time state_updated{}, configured{};
  Time state_transitioned{};  // when it got another state
  std::map<std::string, std::string> tags = {};
  std::optional<EventId> next = {};  // its next evaluation
};

struct AlarmHistoryItem {
  std::string alarm, type, summary, data;  // type: ConfigurationUpdate, StateUpdate, Action
  Time at;
};

// The outside of the alarms.
struct AlarmEffects {
  // Performs an action of the alarm. It throws ApiError if the action fails.
  std::function<void(const Alarm& alarm, const Alarm& before, const std::string& action)> act;
  // An alarm has a new state.
  std::function<void(const Alarm& alarm, const Alarm& before)> changed;
};

// Owns the alarms, and evaluates each of them every minute, or every ten seconds if its period is
// shorter than a minute. Functions throw ApiError ResourceNotFound.
class Alarms {
 public:
  // All references must outlive this object. `arn_prefix` is
  // "arn:aws:cloudwatch:us-west-2:123456789012:alarm:".
  Alarms(Simulation& simulation, EventLog& log, const Metrics& metrics, std::string arn_prefix,
         AlarmEffects effects);

  // Makes an alarm, or replaces its settings. A replaced alarm keeps its state and its tags.
  void put(const AlarmSettings& settings, const std::map<std::string, std::string>& tags);
  void remove(const std::string& name);  // does nothing if there is none
  const std::map<std::string, Alarm>& all() const { return alarms_; }
  const Alarm& alarm(const std::string& name) const;
  void set_state(const std::string& name, AlarmState state, const std::string& reason,
                 const std::string& reason_data);
  void enable_actions(const std::string& name, bool enabled);
  std::map<std::string, std::string>& tags(const std::string& arn);
  const std::vector<AlarmHistoryItem>& history() const { return history_; }  // in order of time

 private:
  Alarm& own(const std::string& name) { return const_cast<Alarm&>(alarm(name)); }
  void arm(Alarm& alarm);
  void evaluate(Alarm& alarm);
  void change(Alarm& alarm, AlarmState state, std::string reason, std::string reason_data);
  void act(const Alarm& alarm, const Alarm& before, const std::string& action);
  void note(const Alarm& alarm, const char* type, std::string summary, const Json& data);

  Simulation& simulation_;
  EventLog& log_;
  const Metrics& metrics_;
  std::string arn_prefix_;
  AlarmEffects effects_;
  std::map<std::string, Alarm> alarms_;
  std::vector<AlarmHistoryItem> history_;
};

}  // namespace sim::monitoring
