// Experiments, and tags of experiments and templates.
#include <fmt/format.h>

#include <ranges>

#include "fakes/fis/actions.h"
#include "fakes/fis/experiments.h"
#include "fakes/fis/options.h"
#include "fakes/fis/page.h"
#include "fakes/fis/tags.h"

namespace fakes::fis {
namespace {

using api::fis::Experiment;

RunningExperiment& running(Call& call, const std::string& id) {
  auto& started = experiments(call.backend).started;
  const auto found = started.find(id);
  if (found == started.end())
    throw ApiError("ResourceNotFoundException", fmt::format("Experiment not found: {}", id), 404);
  return found->second;
}

// Makes a new experiment with the actions and targets of the template.
Experiment planned(const api::fis::ExperimentTemplate& from) {
  Experiment made{.experiment_template_id = from.id, .role_arn = from.role_arn};
  for (const auto& each : from.stop_conditions)
    made.stop_conditions.push_back({.source = each.source, .value = each.value});
  for (const auto& [name, each] : from.targets) {
    auto& target = made.targets[name];
    target.resource_arns = each.resource_arns;
    target.resource_tags = each.resource_tags;
    target.resource_type = each.resource_type;
    target.selection_mode = each.selection_mode;
    target.parameters = each.parameters;
    for (const auto& filter : each.filters)
      target.filters.push_back({.path = filter.path, .values = filter.values});
  }
  for (const auto& [name, each] : from.actions) {
    auto& action = made.actions[name];
    action.action_id = each.action_id;
    action.description = each.description;
    action.parameters = each.parameters;
    action.start_after = each.start_after;
    action.targets = each.targets;
    action.state = api::fis::ExperimentActionState{.reason = "Initial state", .status = "pending"};
  }
  made.experiment_options = from.experiment_options;
  if (from.log_configuration) {
    auto& log = made.log_configuration.emplace();
    log.cloud_watch_logs_configuration.emplace().log_group_arn =
        from.log_configuration->cloud_watch_logs_configuration->log_group_arn;
    log.log_schema_version = from.log_configuration->log_schema_version;
  }
  return made;
}

// Null: there is no experiment or template with this ARN.
api::Map<std::string>* tags_at(Experiments& all, const std::string& arn) {
  for (auto& [id, each] : all.templates)
    if (all.arn("experiment-template", id) == arn) return &each.tags;
  for (auto& [id, each] : all.started)
    if (all.arn("experiment", id) == arn) return &each.shown.tags;
  return nullptr;
}

api::Map<std::string>& tags_of(Call& call, const std::string& arn) {
  if (auto* const found = tags_at(experiments(call.backend), arn)) return *found;
  throw ApiError("ResourceNotFoundException", fmt::format("Resource not found: {}", arn), 404);
}

}  // namespace

const std::map<std::string, std::string>* find_tags(Backend& backend, const std::string& arn) {
  return backend.experiments ? tags_at(*backend.experiments, arn) : nullptr;
}

op::StartExperiment::Response start_experiment(Call& call,
                                               const op::StartExperiment::Request& request) {
  Experiments& all = experiments(call.backend);
  const auto found = all.templates.find(request.experiment_template_id.value());
  if (found == all.templates.end())
    throw ApiError(
        "ResourceNotFoundException",
        fmt::format("Experiment template not found: {}", *request.experiment_template_id), 404);
  RunningExperiment made{.shown = planned(found->second)};
  set_start_options(made.shown.experiment_options, request.experiment_options);
  for (const auto& [name, target] : found->second.targets)
    made.resources[name] = resolve(all, target);
  const std::string id = all.new_id("EXP");
  made.shown.id = id;
  made.shown.arn = all.arn("experiment", id);
  made.shown.target_account_configurations_count = 0;
  made.shown.tags = request.tags;
  made.shown.tags.give();
  made.shown.creation_time = timestamp(call.now);
  made.shown.start_time = made.shown.creation_time;
  made.shown.state =
      api::fis::ExperimentState{.reason = "Experiment is initiating.", .status = "initiating"};
  op::StartExperiment::Response response{.experiment = made.shown};
  all.started[id] = std::move(made);
  call.backend.simulation.after({}, [&all, id] {
    watch_alarms(all, id);
    begin(all, id);
  });
  return response;
}

op::StopExperiment::Response stop_experiment(Call& call,
                                             const op::StopExperiment::Request& request) {
  RunningExperiment& experiment = running(call, request.id.value());
  const std::string& status = experiment.shown.state->status.value();
  if (status == "stopping") return {.experiment = experiment.shown};
  if (status != "initiating" && status != "running")
    throw ApiError("ValidationException",
                   fmt::format("Cannot stop an experiment in state {}.", status));
  stop(experiments(call.backend), request.id.value(), "Experiment halted by customer.");
  return {.experiment = experiment.shown};
}

op::GetExperiment::Response get_experiment(Call& call, const op::GetExperiment::Request& request) {
  return {.experiment = running(call, request.id.value()).shown};
}

op::ListExperiments::Response list_experiments(Call& call,
                                               const op::ListExperiments::Request& request) {
  op::ListExperiments::Response response;
  response.experiments.give();
  const auto& wanted = request.experiment_template_id;
  const auto is_wanted = [&](const auto& entry) {
    return !wanted || entry.second.shown.experiment_template_id == wanted;
  };
  page(
      response, request, experiments(call.backend).started | std::views::filter(is_wanted),
      [](const auto& entry) { return entry.first; },
      [&](const auto& entry) {
        const Experiment& each = entry.second.shown;
        response.experiments.push_back({.arn = each.arn,
                                        .creation_time = each.creation_time,
                                        .experiment_options = each.experiment_options,
                                        .experiment_template_id = each.experiment_template_id,
                                        .id = each.id,
                                        .state = each.state,
                                        .tags = each.tags});
      });
  return response;
}

op::TagResource::Response tag_resource(Call& call, const op::TagResource::Request& request) {
  auto& tags = tags_of(call, request.resource_arn.value());
  for (const auto& [key, value] : request.tags) tags[key] = value;
  return {};
}

op::UntagResource::Response untag_resource(Call& call, const op::UntagResource::Request& request) {
  auto& tags = tags_of(call, request.resource_arn.value());
  if (!request.tag_keys.given()) tags.clear();
  for (const std::string& key : request.tag_keys) tags.erase(key);
  return {};
}

op::ListTagsForResource::Response list_tags(Call& call,
                                            const op::ListTagsForResource::Request& request) {
  op::ListTagsForResource::Response response;
  response.tags = tags_of(call, request.resource_arn.value());
  return response;
}

}  // namespace fakes::fis
