// Templates of experiments.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "fakes/fis/actions.h"
#include "fakes/fis/experiment_log.h"
#include "fakes/fis/experiments.h"
#include "fakes/fis/options.h"
#include "fakes/fis/page.h"
#include "fakes/fis/parameters.h"

namespace fakes::fis {
namespace {

using api::fis::ExperimentTemplate;

ApiError refused_template(const std::string& why) { return {"ValidationException", why}; }

ExperimentTemplate& own(Call& call, const std::string& id) {
  auto& templates = experiments(call.backend).templates;
  const auto found = templates.find(id);
  if (found == templates.end())
    throw ApiError("ResourceNotFoundException",
                   fmt::format("Experiment template not found: {}", id), 404);
  return found->second;
}

// A configuration that is empty ends the log. An update may leave out the destination or the
// version.
template <class Asked>
void read_log(const Asked& asked, ExperimentTemplate& into) {
  if (!asked.cloud_watch_logs_configuration && !asked.log_schema_version)
    return into.log_configuration.reset();
  if (!asked.cloud_watch_logs_configuration && !into.log_configuration)
    throw refused_template("Log configuration: found no destination, expected a log group.");
  if (!into.log_configuration) into.log_configuration.emplace();
  auto& log = *into.log_configuration;
  if (asked.cloud_watch_logs_configuration)
    log.cloud_watch_logs_configuration.emplace().log_group_arn =
        asked.cloud_watch_logs_configuration->log_group_arn;
  if (asked.log_schema_version) log.log_schema_version = asked.log_schema_version;
}

// The fields that requests to create and to update a template share.
template <class Asked>
void read_into(const Asked& asked, ExperimentTemplate& into) {
  if (asked.description) into.description = asked.description;
  if (asked.role_arn) into.role_arn = asked.role_arn;
  if (asked.stop_conditions.given()) into.stop_conditions.clear();
  for (const auto& each : asked.stop_conditions)
    into.stop_conditions.push_back({.source = each.source, .value = each.value});
  if (asked.targets.given()) into.targets.clear();
  for (const auto& [name, each] : asked.targets) {
    auto& target = into.targets[name];
    target.resource_arns = each.resource_arns;
    target.resource_tags = each.resource_tags;
    target.resource_type = each.resource_type;
    target.selection_mode = each.selection_mode;
    target.parameters = each.parameters;
    for (const auto& filter : each.filters)
      target.filters.push_back({.path = filter.path, .values = filter.values});
  }
  if (asked.actions.given()) into.actions.clear();
  for (const auto& [name, each] : asked.actions)
    into.actions[name] = {.action_id = each.action_id,
                          .description = each.description,
                          .parameters = each.parameters,
                          .start_after = each.start_after,
                          .targets = each.targets};
  if (asked.log_configuration) read_log(*asked.log_configuration, into);
}

void check_action(const ExperimentTemplate& made, const std::string& name,
                  const api::fis::ExperimentTemplateAction& action) {
  if (!action.action_id) throw refused_template("Action " + name + " has no actionId.");
  const ExperimentActionKind& kind = action_kind(*action.action_id);
  check_parameters(kind, action.parameters);
  for (const std::string& before : action.start_after)
    if (!made.actions.contains(before) || before == name)
      throw refused_template(
          fmt::format("Action {} starts after {}, which is no other action.", name, before));
  if (kind.target.empty()) return;
  const auto named = action.targets.find(std::string(kind.target));
  const auto target =
      named == action.targets.end() ? made.targets.end() : made.targets.find(named->second);
  if (target == made.targets.end())
    throw refused_template(fmt::format("Action {} needs a target for {}.", name, kind.target));
  if (target->second.resource_type != kind.resource_type)
    throw refused_template(fmt::format("Target {}: found type {}, expected {}", target->first,
                                       target->second.resource_type.value_or(""),
                                       kind.resource_type));
}

// Refuses actions that wait for each other: such actions would never start.
void check_order(const ExperimentTemplate& made) {
  std::set<std::string> can_start;
  for (std::size_t before = made.actions.size() + 1; before != can_start.size();) {
    before = can_start.size();
    for (const auto& [name, action] : made.actions)
      if (std::ranges::all_of(action.start_after,
                              [&](const auto& each) { return can_start.contains(each); }))
        can_start.insert(name);
  }
  if (can_start.size() != made.actions.size())
    throw refused_template("The actions wait for each other.");
}

void check_condition(const api::fis::ExperimentTemplateStopCondition& condition) {
  if (condition.source == "none") return;
  if (condition.source != "aws:cloudwatch:alarm")
    throw refused_template(
        fmt::format("Stop conditions: found the source {}, expected none or aws:cloudwatch:alarm.",
                    condition.source.value_or("")));
  if (!condition.value.value_or("").starts_with("arn:aws:cloudwatch:"))
    throw refused_template(
        fmt::format("Stop conditions: found the value {}, expected an alarm's "
                    "ARN.",
                    condition.value.value_or("")));
}

void check(Call& call, const ExperimentTemplate& made) {
  for (const auto& condition : made.stop_conditions) check_condition(condition);
  if (made.stop_conditions.empty() || made.actions.empty())
    throw refused_template("A template needs a stop condition and an action.");
  for (const auto& [name, target] : made.targets) {
    const bool both = !target.resource_arns.empty() && !target.resource_tags.empty();
    if (both) throw refused_template("Target " + name + " has both resourceArns and resourceTags.");
    if (target.resource_arns.empty() && target.resource_tags.empty() && target.filters.empty() &&
        target.parameters.empty())
      throw refused_template("Target " + name +
                             " needs resourceArns, resourceTags, filters or parameters.");
    resolve(experiments(call.backend), target);  // refuses unknown filters
  }
  for (const auto& [name, action] : made.actions) check_action(made, name, action);
  check_order(made);
  if (made.log_configuration) check_log(experiments(call.backend), *made.log_configuration);
}

}  // namespace

op::CreateExperimentTemplate::Response create_template(
    Call& call, const op::CreateExperimentTemplate::Request& request) {
  ExperimentTemplate made{.creation_time = timestamp(call.now)};
  made.last_update_time = made.creation_time;
  made.tags = request.tags;
  made.tags.give();
  made.experiment_options = default_template_options();
  set_template_options(made.experiment_options, request.experiment_options);
  read_into(request, made);
  check(call, made);
  made.id = experiments(call.backend).new_id("EXT");
  made.arn = experiments(call.backend).arn("experiment-template", *made.id);
  made.target_account_configurations_count = 0;
  experiments(call.backend).templates[*made.id] = made;
  return {.experiment_template = std::move(made)};
}

op::GetExperimentTemplate::Response get_template(
    Call& call, const op::GetExperimentTemplate::Request& request) {
  return {.experiment_template = own(call, request.id.value())};
}

op::ListExperimentTemplates::Response list_templates(
    Call& call, const op::ListExperimentTemplates::Request& request) {
  op::ListExperimentTemplates::Response response;
  response.experiment_templates.give();
  page(
      response, request, experiments(call.backend).templates,
      [](const auto& entry) { return entry.first; },
      [&](const auto& entry) {
        const ExperimentTemplate& each = entry.second;
        response.experiment_templates.push_back({.arn = each.arn,
                                                 .creation_time = each.creation_time,
                                                 .description = each.description,
                                                 .id = each.id,
                                                 .last_update_time = each.last_update_time,
                                                 .tags = each.tags});
      });
  return response;
}

op::UpdateExperimentTemplate::Response update_template(
    Call& call, const op::UpdateExperimentTemplate::Request& request) {
  ExperimentTemplate& held = own(call, request.id.value());
  ExperimentTemplate next = held;
  change_template_options(next.experiment_options, request.experiment_options);
  read_into(request, next);
  check(call, next);
  next.last_update_time = timestamp(call.now);
  held = next;
  return {.experiment_template = std::move(next)};
}

op::DeleteExperimentTemplate::Response delete_template(
    Call& call, const op::DeleteExperimentTemplate::Request& request) {
  ExperimentTemplate gone = own(call, request.id.value());
  experiments(call.backend).templates.erase(request.id.value());
  return {.experiment_template = std::move(gone)};
}

}  // namespace fakes::fis
