#include "fakes/fis/experiments.h"

#include <fmt/format.h>

#include <algorithm>

#include "fakes/action.h"
#include "fakes/cloudwatch/monitoring.h"
#include "fakes/fis/experiment_log.h"
#include "fakes/fis/options.h"

namespace fakes::fis {
namespace {

using api::fis::ExperimentAction;

api::Timestamp shown_time(const Experiments& all) {
  return timestamp(all.backend.simulation.now());
}

bool has_status(const ExperimentAction& action, std::string_view status) {
  return action.state && action.state->status == status;
}

// Completed, or skipped.
bool is_done(const ExperimentAction& action) {
  return has_status(action, "completed") || has_status(action, "skipped");
}

void end(Experiments& all, RunningExperiment& experiment, const char* status,
         const std::string& reason) {
  experiment.shown.state = api::fis::ExperimentState{.reason = reason, .status = status};
  experiment.shown.end_time = shown_time(all);
  log_end(all, experiment);
}

void end_action(Experiments& all, RunningExperiment& experiment, const std::string& name,
                const char* status, const std::string& reason) {
  ExperimentAction& action = experiment.shown.actions.at(name);
  action.state = api::fis::ExperimentActionState{.reason = reason, .status = status};
  action.end_time = shown_time(all);
  log_action_end(all, experiment, name);
}

// Sets the state of an action that never begins.
void leave_out(ExperimentAction& action, const char* status, const char* reason) {
  action.state = api::fis::ExperimentActionState{.reason = reason, .status = status};
}

void end_faults(Experiments& all, RunningExperiment& experiment) {
  for (const auto& [name, faults] : experiment.faults)
    for (const std::int64_t fault : faults) all.faults().end(fault);
  experiment.faults.clear();
}

// The action was refused: the experiment fails, and its other actions do not continue.
void fail(Experiments& all, RunningExperiment& experiment, const std::string& name,
          const ApiError& refusal) {
  end_action(all, experiment, name, "failed", refusal.what());
  for (auto& [other, action] : experiment.shown.actions) {
    if (has_status(action, "running"))
      end_action(all, experiment, other, "cancelled", "Action was cancelled.");
    if (has_status(action, "pending")) leave_out(action, "cancelled", "Action was cancelled.");
  }
  end_faults(all, experiment);
  end(all, experiment, "failed", "Experiment failed to execute: one or more actions failed.");
}

void begin_ready_actions(Experiments& all, const std::string& id);

// An action fails if EC2 refuses to undo its fault (AWS FIS Actions reference,
// "aws:ec2:stop-instances", without completeIfInstancesTerminated).
void complete(Experiments& all, const std::string& id, const std::string& name) {
  RunningExperiment& experiment = all.started.at(id);
  ExperimentAction& action = experiment.shown.actions.at(name);
  if (!has_status(action, "running")) return;  // the experiment was stopped
  for (const std::int64_t fault : experiment.faults[name])
    if (const std::string why = all.faults().not_undone(fault); !why.empty())
      return fail(all, experiment, name, ApiError("ValidationException", why));
  end_action(all, experiment, name, "completed", "Action was completed successfully.");
  begin_ready_actions(all, id);
}

void begin_action(Experiments& all, const std::string& id, const std::string& name) {
  RunningExperiment& experiment = all.started.at(id);
  ExperimentAction& action = experiment.shown.actions.at(name);
  action.state =
      api::fis::ExperimentActionState{.reason = "Action is running.", .status = "running"};
  action.start_time = shown_time(all);
  log_action_start(all, experiment, name);
  const ExperimentActionKind& kind = action_kind(action.action_id.value());
  static const Resources kNone;
  const Resources& resources =
      kind.target.empty() ? kNone
                          : experiment.resources.at(action.targets.at(std::string(kind.target)));
  try {
    const StartedAction started{all, resources, action.parameters, experiment.faults[name],
                                experiment.struck[name]};
    check_role(all, experiment, kind, started);
    const sim::Duration takes = kind.strike(started);
    all.backend.simulation.after(takes, [&all, id, name] { complete(all, id, name); });
  } catch (const ApiError& refusal) {
    fail(all, experiment, name, refusal);
  }
}

void begin_ready_actions(Experiments& all, const std::string& id) {
  RunningExperiment& experiment = all.started.at(id);
  auto& actions = experiment.shown.actions;
  std::vector<std::string> ready;
  for (const auto& [name, action] : actions)
    if (has_status(action, "pending") &&
        std::ranges::all_of(action.start_after,
                            [&](const std::string& before) { return is_done(actions.at(before)); }))
      ready.push_back(name);
  for (const std::string& name : ready)
    if (has_status(actions.at(name), "pending")) begin_action(all, id, name);
  if (std::ranges::all_of(actions, [](const auto& each) { return is_done(each.second); }))
    end(all, experiment, "completed", "Experiment completed.");
}

// Skips the actions without resources, or all of them.
void skip_actions(RunningExperiment& experiment) {
  const auto is_empty = [&](const auto& target) {
    const auto found = experiment.resources.find(target.second);
    return found != experiment.resources.end() && found->second.empty();
  };
  for (auto& [name, action] : experiment.shown.actions)
    if (skips_all_actions(experiment.shown) || std::ranges::any_of(action.targets, is_empty))
      leave_out(action, "skipped", "Action was skipped.");
}

void end_stop(Experiments& all, const std::string& id, const std::string& reason) {
  RunningExperiment& experiment = all.started.at(id);
  for (auto& [name, action] : experiment.shown.actions) {
    if (has_status(action, "stopping"))
      end_action(all, experiment, name, "stopped", "Action was stopped.");
  }
  end(all, experiment, "stopped", reason);
}

// Stops the running experiments with this alarm as a stop condition.
void stop_for_alarm(Experiments& all, const std::string& alarm_arn) {
  for (auto& [id, experiment] : all.started) {
    const std::string& status = experiment.shown.state->status.value();
    const bool waits_for_it =
        std::ranges::any_of(experiment.shown.stop_conditions,
                            [&](const auto& each) { return each.value == alarm_arn; });
    if (waits_for_it && (status == "initiating" || status == "running"))
      stop(all, id, "Experiment stopped by alarm " + alarm_arn + ".");
  }
}

}  // namespace

std::string Experiments::new_id(std::string_view prefix) {
  constexpr std::string_view kLetters =
      "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  std::string id(prefix);
  while (id.size() < 18) id += kLetters[ids.below(kLetters.size())];
  return id;
}

std::string Experiments::arn(std::string_view kind, const std::string& id) const {
  const auto& config = backend.cloud.config();
  return fmt::format("arn:aws:fis:{}:{}:{}/{}", config.region, config.account_id, kind, id);
}

FaultInjector& Experiments::faults() const {
  if (!injector) throw ApiError("ValidationException", "This simulated AWS has no faults.");
  return injector();
}

void set_fault_injector(Backend& backend, std::function<FaultInjector&()> injector) {
  experiments(backend).injector = std::move(injector);
}

Experiments& experiments(Backend& backend) {
  if (!backend.experiments) backend.experiments = std::make_shared<Experiments>(backend);
  return *backend.experiments;
}

void begin(Experiments& all, const std::string& id) {
  RunningExperiment& experiment = all.started.at(id);
  if (experiment.shown.state->status != "initiating") return;
  if (!can_assume_role(all, experiment))
    return end(all, experiment, "failed",
               "Unable to assume role " + experiment.shown.role_arn.value() + ".");
  if (const std::string why = log_refusal(all, experiment); !why.empty())
    return end(all, experiment, "failed", why);
  log_start(all, experiment);
  for (const auto& [name, resources] : experiment.resources) {
    std::string why;
    if (resources.empty() && !may_be_empty(experiment.shown, name))
      why = "Target resolution returned empty set for target " + name + ".";
    log_target(all, experiment, name, why);
    if (!why.empty()) return end(all, experiment, "failed", why);
  }
  skip_actions(experiment);
  experiment.shown.state =
      api::fis::ExperimentState{.reason = "Experiment is running.", .status = "running"};
  begin_ready_actions(all, id);
}

// An interruption that has begun continues.
void stop(Experiments& all, const std::string& id, const std::string& reason) {
  RunningExperiment& experiment = all.started.at(id);
  for (auto& [name, action] : experiment.shown.actions) {
    if (has_status(action, "running"))
      action.state =
          api::fis::ExperimentActionState{.reason = "Action is stopping.", .status = "stopping"};
    if (has_status(action, "pending")) leave_out(action, "cancelled", "Action was cancelled.");
  }
  end_faults(all, experiment);
  experiment.shown.state = api::fis::ExperimentState{.reason = reason, .status = "stopping"};
  all.backend.simulation.after({}, [&all, id, reason] { end_stop(all, id, reason); });
}

void watch_alarms(Experiments& all, const std::string& id) {
  const auto& conditions = all.started.at(id).shown.stop_conditions;
  if (std::ranges::all_of(conditions, [](const auto& each) { return each.source == "none"; }))
    return;
  auto& monitoring = cloudwatch::monitoring(all.backend);
  monitoring.alarmed = [&all](const std::string& arn) { stop_for_alarm(all, arn); };
  for (const auto& [name, alarm] : monitoring.alarms.all())
    if (alarm.state == sim::monitoring::AlarmState::kAlarm) stop_for_alarm(all, alarm.arn);
}

}  // namespace fakes::fis
