// Calls of other services that CloudFormation makes for a stack, with the permissions of the
// stack's role or of its caller (CloudFormation User Guide, "CloudFormation service role").
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/table.h"
#include "fakes/backend.h"
#include "sim/stacks/resource_types.h"

namespace fakes::cloudformation {

using sim::cloud::ApiError;

// Throws ApiError: the service's code, and its message with service, status and code added, as
// stack events show it. The message of a denial begins with the action: "API: ec2:RunInstances".
std::shared_ptr<const void> ask_service(Backend& backend, const sim::stacks::Actor& actor,
                                        const api::Service& service,
                                        const api::Operation& operation, const void* request);

template <class Op>
typename Op::Response ask(Backend& backend, const sim::stacks::Actor& actor,
                          const typename Op::Request& request) {
  const api::Operation& operation = Op::service().operations[Op::kAt];
  const auto response = ask_service(backend, actor, Op::service(), operation, &request);
  return *static_cast<const typename Op::Response*>(response.get());
}

// Throws ApiError ValidationError if CloudFormation cannot assume the role. Logs iam.denied.
void check_role(Backend& backend, const std::string& role_arn);

// Whether an error's code says that a permission is missing.
bool is_denial(std::string_view code);
// Whether the error says that the resource does not exist (any more).
bool is_missing(const ApiError& error);
// The error for a type's property or change that spotsim does not support.
ApiError not_simulated(std::string_view type, const std::string& what);

}  // namespace fakes::cloudformation
