// Applies IAM's policies in front of all services: decides whether a caller may perform a request
// (IAM User Guide, "How AWS enforcement code logic evaluates requests").
#pragma once

#include <string>
#include <string_view>

#include "fakes/authorisation/authentication.h"
#include "fakes/authorisation/permissions.h"
#include "sim/iam/caller.h"
#include "sim/iam/decision.h"

namespace fakes::authorisation {

// Throws ApiError in the service's words if a permission is missing, and logs iam.denied. `name` is
// the caller's in the log. `http` is null for a request that is a struct.
void authorise(const Asked& asked, const sim::iam::Caller& caller, std::string_view name,
               const api::HttpRequest* http);

// A request's parameters in the form that permissions_for() reads. For an HTTP request the result
// is `parsed`, the parameters of its form. For a request that is a struct, `parsed` is null, and
// the result is `made`, which gets the struct's parameters.
const api::Parameters& parameters_of(const Service& service, const api::Operation& operation,
                                     const void* request, const api::Parameters* parsed,
                                     api::Parameters& made);

// ---- denial.cpp

struct Denial {
  const Permission& permission;
  sim::iam::Decision decision;
};
// The error that the service answers.
sim::cloud::ApiError error_of(const Asked& asked, const sim::iam::Caller& caller,
                              const Denial& denial);
// The text that DecodeAuthorizationMessage returns for a message in an error. Throws ApiError
// InvalidAuthorizationMessageException.
std::string decode_message(const std::string& encoded);

}  // namespace fakes::authorisation
