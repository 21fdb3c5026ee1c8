// AWS's services for clients in this process, with structs for requests and answers. Checks,
// effects, delays and lines of the log equal those of the same request over HTTP (aws() in
// backend.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/error.h"
#include "api/table.h"
#include "fakes/backend.h"
#include "sim/iam/caller.h"

namespace fakes {

struct DirectRequest {
  const api::Service& service;
  const api::Operation& operation;
  const void* request;      // an object of the operation's input
  std::string_view region;  // that its credentials are for
  // The caller whose permissions a service's call needs. Null: the service acts for the account.
  const sim::iam::Caller* on_behalf_of = nullptr;
};

struct DirectReply {
  std::shared_ptr<const void> response;  // an object of the operation's output; null: refused
  api::Error error = {};                 // why
  sim::Duration delay{};
};
using DirectHandler = std::function<DirectReply(const DirectRequest&)>;

// `caller` as for aws().
DirectHandler direct_aws(Backend& backend, std::string caller);

// Calls a service, including S3, on behalf of another service of the account.
DirectReply call_for_service(Backend& backend, const DirectRequest& asked, std::string_view caller);

}  // namespace fakes
