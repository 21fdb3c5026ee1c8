// The resources of stacks.
#include <fmt/format.h>

#include "fakes/cloudformation/requests.h"

namespace fakes::cloudformation {
namespace {

using sim::stacks::Resource;
using sim::stacks::Stack;

// A resource has no status before its first step.
std::vector<const Resource*> started(const Stack& stack) {
  std::vector<const Resource*> found;
  for (const auto& [id, resource] : stack.now.resources)
    if (!resource.status.empty()) found.push_back(&resource);
  return found;
}

aws::StackResource shown(const Stack& stack, const Resource& resource) {
  return {.drift_information =
              aws::StackResourceDriftInformation{.stack_resource_drift_status = kNotChecked},
          .logical_resource_id = resource.definition.id,
          .physical_resource_id = given(resource.physical_id),
          .resource_status = resource.status,
          .resource_status_reason = given(resource.reason),
          .resource_type = resource.definition.type,
          .stack_id = stack.id,
          .stack_name = stack.name,
          .timestamp = timestamp(resource.changed)};
}

// The stack that has a resource of this physical ID.
const Stack& owner_of(Call& call, const std::string& physical_id) {
  for (const auto& stack : stacks(call.backend).all())
    for (const Resource* resource : started(*stack))
      if (resource->physical_id == physical_id && !stack->is_deleted()) return *stack;
  throw sim::stacks::invalid(fmt::format("Stack for {} does not exist", physical_id));
}

const Resource& find(const Stack& stack, const std::string& id) {
  for (const Resource* resource : started(stack))
    if (resource->definition.id == id) return *resource;
  throw sim::stacks::invalid(
      fmt::format("Resource {} does not exist for stack {}", id, stack.name));
}

}  // namespace

op::DescribeStackResource::Response describe_resource(
    Call& call, const op::DescribeStackResource::Request& request) {
  const auto& all = stacks(call.backend);
  const Stack& stack = all.stack(request.stack_name.value());
  const Resource& resource = find(stack, request.logical_resource_id.value());
  const sim::Json metadata = all.metadata(stack, resource.definition.id);
  return {.stack_resource_detail = aws::StackResourceDetail{
              .drift_information =
                  aws::StackResourceDriftInformation{.stack_resource_drift_status = kNotChecked},
              .last_updated_timestamp = timestamp(resource.changed),
              .logical_resource_id = resource.definition.id,
              .metadata = metadata.is_null() ? "{}" : metadata.dump(),
              .physical_resource_id = given(resource.physical_id),
              .resource_status = resource.status,
              .resource_status_reason = given(resource.reason),
              .resource_type = resource.definition.type,
              .stack_id = stack.id,
              .stack_name = stack.name}};
}

op::DescribeStackResources::Response describe_resources(
    Call& call, const op::DescribeStackResources::Request& request) {
  if (!request.stack_name && !request.physical_resource_id)
    throw sim::stacks::invalid("Either stackName or physicalResourceId must be specified");
  const Stack& stack = request.stack_name ? stacks(call.backend).stack(*request.stack_name)
                                          : owner_of(call, *request.physical_resource_id);
  op::DescribeStackResources::Response response;
  response.stack_resources.give();
  if (request.logical_resource_id) find(stack, *request.logical_resource_id);
  for (const Resource* resource : started(stack)) {
    const bool wanted =
        !request.logical_resource_id || resource->definition.id == *request.logical_resource_id;
    if (wanted) response.stack_resources.push_back(shown(stack, *resource));
  }
  return response;
}

op::ListStackResources::Response list_resources(Call& call,
                                                const op::ListStackResources::Request& request) {
  const Stack& stack = stacks(call.backend).stack(request.stack_name.value());
  op::ListStackResources::Response response;
  page_of(
      started(stack), request.next_token,
      [](const Resource* resource) {
        return aws::StackResourceSummary{.drift_information =
                                             aws::StackResourceDriftInformationSummary{
                                                 .stack_resource_drift_status = kNotChecked},
                                         .last_updated_timestamp = timestamp(resource->changed),
                                         .logical_resource_id = resource->definition.id,
                                         .physical_resource_id = given(resource->physical_id),
                                         .resource_status = resource->status,
                                         .resource_status_reason = given(resource->reason),
                                         .resource_type = resource->definition.type};
      },
      response.stack_resource_summaries, response.next_token);
  return response;
}

}  // namespace fakes::cloudformation
