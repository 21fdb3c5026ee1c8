// Change sets, which `aws cloudformation deploy` makes.
#include "fakes/cloudformation/requests.h"

namespace fakes::cloudformation {
namespace {

using sim::stacks::ChangeSet;

std::string stack_of(const api::Opt<std::string>& name, const std::string& set) {
  if (!name && !set.starts_with("arn:"))
    throw sim::stacks::invalid(
        "StackName must be specified if ChangeSetName is not specified as "
        "an ARN.");
  return name.value_or("");
}

aws::ResourceChange shown(const sim::stacks::Change& change) {
  const bool modifies = change.action == "Modify";
  aws::ResourceChange out{.action = change.action,
                          .logical_resource_id = change.logical_id,
                          .physical_resource_id = given(change.physical_id),
                          .resource_type = change.type};
  out.details.give();
  out.scope.give();
  if (!modifies) return out;
  out.replacement = change.replaces ? "True" : "False";
  out.scope.push_back("Properties");
  for (const std::string& property : change.properties)
    out.details.push_back({.change_source = "DirectModification",
                           .evaluation = "Static",
                           .target = aws::ResourceTargetDefinition{
                               .attribute = "Properties",
                               .name = property,
                               .requires_recreation = change.replaces ? "Always" : "Never"}});
  return out;
}

}  // namespace

op::CreateChangeSet::Response create_change_set(Call& call,
                                                const op::CreateChangeSet::Request& request) {
  const std::string kind = request.change_set_type.value_or("UPDATE");
  if (kind == "IMPORT")
    throw sim::stacks::invalid("The ChangeSetType IMPORT is not part of this simulated AWS.");
  auto& all = stacks(call.backend);
  const ChangeSet& set = all.create_change_set(
      stack_request(call, request),
      {request.change_set_name.value(), request.description.value_or(""), kind});
  return {.id = set.id, .stack_id = all.change_set("", set.id).stack.id};
}

op::DescribeChangeSet::Response describe_change_set(Call& call,
                                                    const op::DescribeChangeSet::Request& request) {
  const std::string& name = request.change_set_name.value();
  const auto found = stacks(call.backend).change_set(stack_of(request.stack_name, name), name);
  const ChangeSet& set = found.set;
  op::DescribeChangeSet::Response response{.capabilities = set.next.capabilities,
                                           .change_set_id = set.id,
                                           .change_set_name = set.name,
                                           .creation_time = timestamp(set.created),
                                           .description = given(set.description),
                                           .execution_status = set.execution_status,
                                           .include_nested_stacks = false,
                                           .notification_arns = set.next.notification_arns,
                                           .parameters = shown_parameters(set.next),
                                           .rollback_configuration = aws::RollbackConfiguration{},
                                           .stack_id = found.stack.id,
                                           .stack_name = found.stack.name,
                                           .status = set.status,
                                           .status_reason = given(set.reason),
                                           .tags = shown_tags(set.next.tags)};
  page_of(
      set.changes, request.next_token,
      [](const sim::stacks::Change& change) {
        return aws::Change{.resource_change = shown(change), .type = "Resource"};
      },
      response.changes, response.next_token);
  return response;
}

op::ExecuteChangeSet::Response execute_change_set(Call& call,
                                                  const op::ExecuteChangeSet::Request& request) {
  const std::string& name = request.change_set_name.value();
  stacks(call.backend)
      .execute_change_set({.stack = stack_of(request.stack_name, name),
                           .set = name,
                           .disable_rollback = request.disable_rollback.value_or(false),
                           .token = request.client_request_token.value_or(""),
                           .caller = caller_in(call)});
  return {};
}

op::DeleteChangeSet::Response delete_change_set(Call& call,
                                                const op::DeleteChangeSet::Request& request) {
  const std::string& name = request.change_set_name.value();
  stacks(call.backend).delete_change_set(stack_of(request.stack_name, name), name);
  return {};
}

op::ListChangeSets::Response list_change_sets(Call& call,
                                              const op::ListChangeSets::Request& request) {
  const auto& stack = stacks(call.backend).stack(request.stack_name.value());
  op::ListChangeSets::Response response;
  page_of(
      stack.change_sets, request.next_token,
      [&](const ChangeSet& set) {
        return aws::ChangeSetSummary{.change_set_id = set.id,
                                     .change_set_name = set.name,
                                     .creation_time = timestamp(set.created),
                                     .description = given(set.description),
                                     .execution_status = set.execution_status,
                                     .include_nested_stacks = false,
                                     .stack_id = stack.id,
                                     .stack_name = stack.name,
                                     .status = set.status,
                                     .status_reason = given(set.reason)};
      },
      response.summaries, response.next_token);
  return response;
}

}  // namespace fakes::cloudformation
