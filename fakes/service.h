// The AWS services that are served: each a model and the handlers of its actions.
#pragma once

#include <memory>
#include <span>

#include "fakes/action.h"

namespace fakes {

struct Service {
  const api::Service& model;
  std::span<const ActionRow> actions;
};

// Amazon EC2, version 2016-11-15.
const Service& ec2_service();

// Does what a validated request asks for, and returns the operation's response. Who repeats a
// request with its client token gets the first one's response (EC2 API reference, "Ensuring
// idempotency"). `written` as in Call. Throws ApiError: InvalidAction for an operation without a
// handler, DryRunOperation, IdempotentParameterMismatch, and what the handler throws.
std::shared_ptr<const void> perform(Backend& backend, const Service& service,
                                    const api::Operation& operation, const void* request,
                                    api::WrittenList* written = nullptr);

}  // namespace fakes
