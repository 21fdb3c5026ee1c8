#include "fakes/fis/experiment_log.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/kernel/time.h"
#include "sim/logs/store.h"

namespace fakes::fis {
namespace {

using Json = nlohmann::ordered_json;

// The name in a log group's ARN: "arn:aws:logs:us-west-2:123456789012:log-group:NAME:*". Empty for
// any other text.
std::string group_in(const Experiments& all, std::string arn) {
  const auto& config = all.backend.cloud.config();
  const std::string before =
      fmt::format("arn:aws:logs:{}:{}:log-group:", config.region, config.account_id);
  if (!arn.starts_with(before)) return "";
  if (arn.ends_with(":*")) arn.resize(arn.size() - 2);
  return arn.substr(before.size());
}

// Empty: the experiment has no log.
std::string group_of(const Experiments& all, const RunningExperiment& experiment) {
  const auto& log = experiment.shown.log_configuration;
  return log ? group_in(all, log->cloud_watch_logs_configuration->log_group_arn.value()) : "";
}

bool is_version_1(const RunningExperiment& experiment) {
  return experiment.shown.log_configuration->log_schema_version == 1;
}

void write(Experiments& all, const RunningExperiment& experiment, const char* type, Json details) {
  const std::string& id = experiment.shown.id.value();
  const sim::Time now = all.backend.simulation.now();
  const Json record = {{"id", id},
                       {"log_type", type},
                       {"event_timestamp", sim::iso_seconds(now)},
                       {"version", is_version_1(experiment) ? "1" : "2"},
                       {"details", std::move(details)}};
  all.backend.logs.append(group_of(all, experiment), "/aws/fis/" + id, sim::logs::milliseconds(now),
                          record.dump(-1, ' ', false, Json::error_handler_t::replace));
}

// False also if the group was deleted meanwhile.
bool is_logged(const Experiments& all, const RunningExperiment& experiment) {
  return experiment.has_log && all.backend.logs.groups().contains(group_of(all, experiment));
}

std::string now_text(const Experiments& all) {
  return sim::iso_seconds(all.backend.simulation.now());
}

template <class State>
Json shown_state(const State& state) {
  return {{"status", state->status.value()}, {"reason", state->reason.value()}};
}

}  // namespace

void check_log(const Experiments& all, const api::fis::ExperimentTemplateLogConfiguration& asked) {
  const std::string arn = asked.cloud_watch_logs_configuration->log_group_arn.value_or("");
  if (group_in(all, arn).empty())
    throw ApiError(
        "ValidationException",
        fmt::format("Log configuration: found {}, expected the ARN of a log group of this "
                    "account and region.",
                    arn));
  const std::int64_t version = asked.log_schema_version.value_or(0);
  if (version != 1 && version != 2)
    throw ApiError("ValidationException",
                   fmt::format("Log schema version: found {}, expected 1 or 2.", version));
}

std::string log_refusal(Experiments& all, const RunningExperiment& experiment) {
  const std::string group = group_of(all, experiment);
  if (group.empty()) return "";
  if (!all.backend.logs.groups().contains(group))
    return "The log group " + group + " does not exist.";
  if (!may_log(all, experiment)) return "The role may not deliver logs to CloudWatch Logs.";
  return "";
}

void log_start(Experiments& all, RunningExperiment& experiment) {
  experiment.has_log = !group_of(all, experiment).empty();
  if (!is_logged(all, experiment)) return;
  write(all, experiment, "experiment-start",
        {{"experiment_template_id", experiment.shown.experiment_template_id.value()},
         {"experiment_start_time", now_text(all)}});
}

void log_target(Experiments& all, const RunningExperiment& experiment, const std::string& target,
                const std::string& error) {
  if (!is_logged(all, experiment)) return;
  const std::string now = now_text(all);
  const std::string& type = experiment.shown.targets.at(target).resource_type.value();
  const Resources& resources = experiment.resources.at(target);
  const bool old = is_version_1(experiment);
  write(all, experiment, "target-resolution-start",
        {{"target_resolution_start_time", now}, {"target_name", target}});
  Json detail = {{"target_resolution_end_time", now},
                 {"target_name", target},
                 {"target_type", type},
                 {"account_id", all.backend.cloud.config().account_id},
                 {"resolved_targets_count", resources.size()},
                 {"status", error.empty() ? "completed" : "failed"}};
  Json end = {{"target_resolution_end_time", now}, {"target_name", target}};
  if (!old) end["target_type"] = type;
  Json& resolved = end["resolved_targets"] = Json::array();
  for (const std::string& id : resources) {
    const std::string arn = resource_arn(all, type, id);
    resolved.push_back(old ? Json(arn) : Json{{"arn", arn}});
  }
  end["page"] = end["total_pages"] = 1;
  if (!error.empty()) detail["error_information"] = end["error_information"] = error;
  if (!old) write(all, experiment, "target-resolution-detail", std::move(detail));
  write(all, experiment, "target-resolution-end", std::move(end));
}

void log_action_start(Experiments& all, const RunningExperiment& experiment,
                      const std::string& action) {
  if (!is_logged(all, experiment)) return;
  const auto& started = experiment.shown.actions.at(action);
  Json details = {{"action_name", action},
                  {"action_id", started.action_id.value()},
                  {"action_start_time", now_text(all)},
                  {"action_targets", Json::object()}};
  for (const auto& [key, target] : started.targets) details["action_targets"][key] = target;
  for (const auto& [name, value] : started.parameters) details["parameters"][name] = value;
  write(all, experiment, "action-start", std::move(details));
}

void log_action_end(Experiments& all, const RunningExperiment& experiment,
                    const std::string& action) {
  if (!is_logged(all, experiment)) return;
  const auto& ended = experiment.shown.actions.at(action);
  const Json state = shown_state(ended.state);
  const Json name = {{"action_name", action}, {"action_id", ended.action_id.value()}};
  if (ended.state->status == "failed" && !is_version_1(experiment)) {
    Json error = name;
    error["account_id"] = all.backend.cloud.config().account_id;
    error["action_state"] = state;
    write(all, experiment, "action-error", std::move(error));
  }
  Json details = name;
  details["action_end_time"] = now_text(all);
  details["action_state"] = state;
  write(all, experiment, "action-end", std::move(details));
}

void log_end(Experiments& all, const RunningExperiment& experiment) {
  if (!is_logged(all, experiment)) return;
  write(all, experiment, "experiment-end",
        {{"experiment_end_time", now_text(all)},
         {"experiment_state", shown_state(experiment.shown.state)}});
}

}  // namespace fakes::fis
