// Stacks, their events, and their exports.
#include <algorithm>

#include "fakes/cloudformation/requests.h"

namespace fakes::cloudformation {
namespace {

using sim::stacks::Stack;

aws::Output shown(const sim::stacks::Output& output) {
  return {.description = given(output.description),
          .export_name = given(output.export_name),
          .output_key = output.name,
          .output_value = output.value};
}

aws::Stack shown_stack(const Stack& stack) {
  aws::Stack out{.capabilities = stack.now.capabilities,
                 .change_set_id = given(stack.change_set_id),
                 .creation_time = timestamp(stack.created),
                 .description = stack.now.of ? given(stack.now.of->description) : std::nullopt,
                 .disable_rollback = stack.on_failure == sim::stacks::OnFailure::kDoNothing,
                 .drift_information = aws::StackDriftInformation{.stack_drift_status = kNotChecked},
                 .enable_termination_protection = stack.termination_protection,
                 .notification_arns = stack.now.notification_arns,
                 .parameters = shown_parameters(stack.now),
                 .role_arn = given(stack.now.role_arn),
                 .rollback_configuration = aws::RollbackConfiguration{},
                 .stack_id = stack.id,
                 .stack_name = stack.name,
                 .stack_status = std::string(stack.status),
                 .stack_status_reason = given(stack.reason),
                 .tags = shown_tags(stack.now.tags).give()};
  out.notification_arns.give();
  for (const auto& output : stack.now.outputs) out.outputs.push_back(shown(output));
  if (stack.deleted) out.deletion_time = timestamp(*stack.deleted);
  if (stack.updated) out.last_updated_time = timestamp(*stack.updated);
  if (stack.timeout_minutes) out.timeout_in_minutes = *stack.timeout_minutes;
  return out;
}

aws::StackSummary summary(const Stack& stack) {
  aws::StackSummary out{
      .creation_time = timestamp(stack.created),
      .drift_information = aws::StackDriftInformationSummary{.stack_drift_status = kNotChecked},
      .stack_id = stack.id,
      .stack_name = stack.name,
      .stack_status = std::string(stack.status),
      .stack_status_reason = given(stack.reason),
      .template_description = stack.now.of ? given(stack.now.of->description) : std::nullopt};
  if (stack.deleted) out.deletion_time = timestamp(*stack.deleted);
  if (stack.updated) out.last_updated_time = timestamp(*stack.updated);
  return out;
}

// Lists the newest first, as the service does.
template <class Keep>
std::vector<const Stack*> newest_first(Call& call, Keep keep) {
  std::vector<const Stack*> found;
  for (const auto& stack : stacks(call.backend).all())
    if (keep(*stack)) found.push_back(stack.get());
  std::ranges::reverse(found);
  return found;
}

}  // namespace

op::DescribeStacks::Response describe_stacks(Call& call,
                                             const op::DescribeStacks::Request& request) {
  op::DescribeStacks::Response response;
  if (request.stack_name) {
    response.stacks.push_back(shown_stack(stacks(call.backend).stack(*request.stack_name)));
    return response;
  }
  page_of(
      newest_first(call, [](const Stack& stack) { return !stack.is_deleted(); }),
      request.next_token, [](const Stack* stack) { return shown_stack(*stack); }, response.stacks,
      response.next_token);
  return response;
}

op::ListStacks::Response list_stacks(Call& call, const op::ListStacks::Request& request) {
  const auto& wanted = request.stack_status_filter;
  op::ListStacks::Response response;
  page_of(
      newest_first(call,
                   [&](const Stack& stack) {
                     return wanted.empty() ||
                            std::ranges::find(wanted, stack.status) != wanted.end();
                   }),
      request.next_token, [](const Stack* stack) { return summary(*stack); },
      response.stack_summaries, response.next_token);
  return response;
}

op::DescribeStackEvents::Response describe_events(Call& call,
                                                  const op::DescribeStackEvents::Request& request) {
  if (!request.stack_name) throw sim::stacks::invalid("StackName must be specified");
  const Stack& stack = stacks(call.backend).stack(*request.stack_name);
  const std::vector events(stack.events.rbegin(), stack.events.rend());
  op::DescribeStackEvents::Response response;
  page_of(
      events, request.next_token,
      [&](const sim::stacks::StackEvent& event) {
        return aws::StackEvent{.client_request_token = given(event.token),
                               .event_id = event.id,
                               .logical_resource_id = event.logical_id,
                               .physical_resource_id = event.physical_id,
                               .resource_properties = given(event.properties),
                               .resource_status = event.status,
                               .resource_status_reason = given(event.reason),
                               .resource_type = event.type,
                               .stack_id = stack.id,
                               .stack_name = stack.name,
                               .timestamp = timestamp(event.time)};
      },
      response.stack_events, response.next_token);
  return response;
}

op::ListExports::Response list_exports(Call& call, const op::ListExports::Request& request) {
  op::ListExports::Response response;
  page_of(
      stacks(call.backend).exports(), request.next_token,
      [](const sim::stacks::Export& one) {
        return aws::Export{
            .exporting_stack_id = one.stack_id, .name = one.name, .value = one.value};
      },
      response.exports, response.next_token);
  return response;
}

op::ListImports::Response list_imports(Call& call, const op::ListImports::Request& request) {
  const auto users = stacks(call.backend).importers(request.export_name.value());
  if (users.empty())
    throw sim::stacks::invalid("Export '" + *request.export_name +
                               "' is not imported by any stack.");
  op::ListImports::Response response;
  page_of(
      users, request.next_token, [](const std::string& name) { return name; }, response.imports,
      response.next_token);
  return response;
}

}  // namespace fakes::cloudformation
