// The actions that experiments can have, and the types of their targets.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "fakes/fis/actions.h"
#include "fakes/fis/experiments.h"
#include "fakes/fis/page.h"

namespace fakes::fis {
namespace {

template <class Shown>
Shown shown(const ExperimentActionKind& kind) {
  Shown shown;
  shown.id = std::string(kind.id);
  shown.description = std::string(kind.description);
  shown.targets.give();
  if (!kind.target.empty())
    shown.targets[std::string(kind.target)].resource_type = std::string(kind.resource_type);
  shown.tags.give();
  if constexpr (requires { shown.parameters; }) {
    shown.parameters.give();
    for (const ActionParameterRow& row : kind.parameters)
      shown.parameters[std::string(row.name)] = {.description = std::string(row.description),
                                                 .required = row.required};
  }
  return shown;
}

// The types of targets that at least one action can have: "aws:ec2:spot-instance".
std::set<std::string> target_types() {
  std::set<std::string> types;
  for (const ExperimentActionKind* const kind : action_kinds())
    if (!kind->resource_type.empty()) types.emplace(kind->resource_type);
  return types;
}

std::string description_of(const std::string& type) {
  return fmt::format("A target of the type {}", type);
}

}  // namespace

op::GetAction::Response get_action(Call&, const op::GetAction::Request& request) {
  const auto& kinds = action_kinds();
  const auto found = std::ranges::find(kinds, request.id.value(), &ExperimentActionKind::id);
  if (found == kinds.end())
    throw ApiError("ResourceNotFoundException", fmt::format("Action not found: {}", *request.id),
                   404);
  return {.action = shown<api::fis::Action>(**found)};
}

op::ListActions::Response list_actions(Call&, const op::ListActions::Request& request) {
  op::ListActions::Response response;
  response.actions.give();
  page(
      response, request, action_kinds(), [](const auto* kind) { return kind->id; },
      [&](const auto* kind) { response.actions.push_back(shown<api::fis::ActionSummary>(*kind)); });
  return response;
}

op::GetTargetResourceType::Response get_target_type(
    Call&, const op::GetTargetResourceType::Request& request) {
  const std::string& type = request.resource_type.value();
  if (!target_types().contains(type))
    throw ApiError("ResourceNotFoundException",
                   fmt::format("Target resource type not found: {}", type), 404);
  op::GetTargetResourceType::Response response;
  auto& found = response.target_resource_type.emplace();
  found.resource_type = type;
  found.description = description_of(type);
  found.parameters.give();
  for (const ActionParameterRow& row : target_parameters(type))
    found.parameters[std::string(row.name)] = {.description = std::string(row.description),
                                               .required = row.required};
  return response;
}

op::ListTargetResourceTypes::Response list_target_types(
    Call&, const op::ListTargetResourceTypes::Request& request) {
  op::ListTargetResourceTypes::Response response;
  response.target_resource_types.give();
  page(
      response, request, target_types(), [](const std::string& type) { return type; },
      [&](const std::string& type) {
        response.target_resource_types.push_back(
            {.description = description_of(type), .resource_type = type});
      });
  return response;
}

}  // namespace fakes::fis
