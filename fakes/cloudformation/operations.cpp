// The actions that change stacks.
#include <algorithm>

#include "fakes/cloudformation/requests.h"

namespace fakes::cloudformation {
namespace {

using sim::stacks::OnFailure;

OnFailure on_failure(const op::CreateStack::Request& request) {
  if (request.on_failure && request.disable_rollback)
    throw sim::stacks::invalid("You cannot specify both onFailure and disableRollback.");
  if (request.on_failure == "DELETE") return OnFailure::kDelete;
  const bool nothing =
      request.on_failure == "DO_NOTHING" || request.disable_rollback.value_or(false);
  return nothing ? OnFailure::kDoNothing : OnFailure::kRollback;
}

}  // namespace

op::CreateStack::Response create_stack(Call& call, const op::CreateStack::Request& request) {
  auto asked = stack_request(call, request);
  asked.on_failure = on_failure(request);
  asked.termination_protection = request.enable_termination_protection.value_or(false);
  if (request.timeout_in_minutes)
    asked.timeout_minutes =
        static_cast<int>(std::min<std::int64_t>(*request.timeout_in_minutes, 43'200));
  return {.stack_id = stacks(call.backend).create(asked).id};
}

op::UpdateStack::Response update_stack(Call& call, const op::UpdateStack::Request& request) {
  auto asked = stack_request(call, request);
  if (request.disable_rollback.value_or(false)) asked.on_failure = OnFailure::kDoNothing;
  return {.stack_id = stacks(call.backend).update(asked).id};
}

op::DeleteStack::Response delete_stack(Call& call, const op::DeleteStack::Request& request) {
  stacks(call.backend)
      .remove({.name = request.stack_name.value(),
               .retain = request.retain_resources,
               .role_arn = request.role_arn.value_or(""),
               .token = request.client_request_token.value_or(""),
               .caller = caller_in(call)});
  return {};
}

op::CancelUpdateStack::Response cancel_update(Call& call,
                                              const op::CancelUpdateStack::Request& request) {
  stacks(call.backend)
      .cancel_update(request.stack_name.value(), request.client_request_token.value_or(""));
  return {};
}

op::UpdateTerminationProtection::Response update_protection(
    Call& call, const op::UpdateTerminationProtection::Request& request) {
  return {.stack_id = stacks(call.backend)
                          .protect(request.stack_name.value(),
                                   request.enable_termination_protection.value())
                          .id};
}

op::SignalResource::Response signal_resource(Call& call,
                                             const op::SignalResource::Request& request) {
  stacks(call.backend)
      .signal(request.stack_name.value(), request.logical_resource_id.value(),
              {request.unique_id.value(), request.status == "SUCCESS"});
  return {};
}

}  // namespace fakes::cloudformation
