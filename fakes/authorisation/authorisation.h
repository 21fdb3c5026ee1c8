// Applies IAM's policies in front of all services: decides whether a caller may perform a request
// (IAM User Guide, "How AWS enforcement code logic evaluates requests").
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fakes/authorisation/authentication.h"
#include "fakes/authorisation/context.h"
#include "fakes/authorisation/permissions.h"
#include "sim/iam/caller.h"
#include "sim/iam/decision.h"

namespace fakes::authorisation {

// A permission that a caller lacks, and why.
struct Denial {
  Permission permission;
  sim::iam::Decision decision;
};

// A caller, with its name in the log: an instance's ID, "operator", or a service.
struct Actor {
  const sim::iam::Caller& caller;
  std::string_view name;
};

// Logs iam.denied.
void log_denial(Backend& backend, const Actor& actor, const Denial& denial);

// Decides whether the caller has all these permissions. Returns the first missing permission, and
// logs iam.denied.
std::optional<Denial> find_denial(const RequestContext& context,
                                  std::span<const Permission> permissions, const Actor& actor);

// Throws ApiError in the service's words if a permission is missing, and logs iam.denied. `name` is
// the caller's in the log. `http` is null for a request that is a struct.
void authorise(const Asked& asked, const sim::iam::Caller& caller, std::string_view name,
               const api::HttpRequest* http);

// A request as a struct, and the parameters of its form if it arrived as HTTP; else null.
struct ReadRequest {
  const api::Operation& operation;
  const void* value;
  const api::Parameters* form;
};
// A request's parameters in the form that permissions_for() reads: those of its form, or `made`,
// which gets the struct's or Service::completed's parameters.
const api::Parameters& parameters_of(Backend& backend, const Service& service,
                                     const ReadRequest& request, api::Parameters& made);

// ---- denial.cpp

// The error that the service answers.
sim::cloud::ApiError error_of(const Asked& asked, const sim::iam::Caller& caller,
                              const Denial& denial);
// The text that DecodeAuthorizationMessage returns for a message in an error. Throws ApiError
// InvalidAuthorizationMessageException.
std::string decode_message(const std::string& encoded);

}  // namespace fakes::authorisation
