// The targets of rules.
#include <algorithm>

#include "fakes/events/actions.h"
#include "fakes/events/page.h"
#include "sim/cloud/error.h"

namespace fakes::events {
namespace {

using sim::messaging::Rule;
using sim::messaging::Target;

// These checks come before the rule is looked up.
void check_target(const api::events::Target& asked) {
  const std::string& arn = asked.arn.value();
  sim::messaging::EventBuses::check_target_arn(arn);
  if (arn.starts_with("arn:aws:sqs:") && arn.ends_with(".fifo") && !asked.sqs_parameters)
    throw sim::cloud::ApiError(
        "ValidationException",
        "Parameter(s) SqsParameters must be specified for target: " + asked.id.value() + ".");
}

Target read_target(const api::events::Target& asked) {
  Target target{.id = asked.id.value(), .arn = asked.arn.value()};
  target.input.constant = asked.input;
  target.input.path = asked.input_path;
  if (asked.input_transformer)
    target.input.transformer = {asked.input_transformer->input_paths_map,
                                asked.input_transformer->input_template.value()};
  if (asked.sqs_parameters) target.group = asked.sqs_parameters->message_group_id.value_or("");
  return target;
}

api::events::Target shown(const Target& target) {
  api::events::Target out{.arn = target.arn, .id = target.id};
  out.input = target.input.constant;
  out.input_path = target.input.path;
  if (target.input.transformer) {
    api::events::InputTransformer transformer{.input_template = target.input.transformer->text};
    transformer.input_paths_map = target.input.transformer->paths;
    out.input_transformer = std::move(transformer);
  }
  if (!target.group.empty())
    out.sqs_parameters = api::events::SqsParameters{.message_group_id = target.group};
  return out;
}

}  // namespace

op::PutTargets::Response put_targets(Call& call, const op::PutTargets::Request& request) {
  for (const auto& asked : request.targets) check_target(asked);
  for (const auto& asked : request.targets)
    buses(call).put_target(request.event_bus_name.value_or(""), request.rule.value(),
                           read_target(asked));
  op::PutTargets::Response response{.failed_entry_count = 0};
  response.failed_entries.give();
  return response;
}

op::RemoveTargets::Response remove_targets(Call& call, const op::RemoveTargets::Request& request) {
  op::RemoveTargets::Response response;
  response.failed_entries.give();
  for (const std::string& id : request.ids)
    if (!buses(call).remove_target(request.event_bus_name.value_or(""), request.rule.value(), id))
      response.failed_entries.push_back({.error_code = "ResourceNotFoundException",
                                         .error_message = "Rule has no target " + id + ".",
                                         .target_id = id});
  response.failed_entry_count = static_cast<std::int64_t>(response.failed_entries.size());
  return response;
}

op::ListTargetsByRule::Response list_targets(Call& call,
                                             const op::ListTargetsByRule::Request& request) {
  op::ListTargetsByRule::Response response;
  response.targets.give();
  response.next_token = page(
      buses(call).rule(request.event_bus_name.value_or(""), request.rule.value()).targets,
      request.next_token, request.limit, [](const Target&) { return true; },
      [&](const Target& target) { response.targets.push_back(shown(target)); });
  return response;
}

op::ListRuleNamesByTarget::Response list_rules_of_target(
    Call& call, const op::ListRuleNamesByTarget::Request& request) {
  const auto has_it = [&](const Rule& rule) {
    return std::ranges::any_of(rule.targets, [&](const auto& entry) {
      return entry.second.arn == request.target_arn.value();
    });
  };
  op::ListRuleNamesByTarget::Response response;
  response.rule_names.give();
  response.next_token = page(buses(call).bus(request.event_bus_name.value_or("")).rules,
                             request.next_token, request.limit, has_it,
                             [&](const Rule& rule) { response.rule_names.push_back(rule.name); });
  return response;
}

}  // namespace fakes::events
