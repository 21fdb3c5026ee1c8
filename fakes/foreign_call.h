// Calls of services that spotsim does not have, for an endpoint that passes them on.
#pragma once

#include <optional>
#include <string>

#include "fakes/http/http.h"

namespace fakes {

struct ForeignCall {
  // The name in the request's signature. Of an unsigned request: the first part of its X-Amz-Target
  // or of its AWS host name. Printable ASCII, like the action.
  std::string service;
  std::string action;
};

// Empty for a request to a service of spotsim, and for a request that names no service.
std::optional<ForeignCall> foreign_call(const Request& request);
// An error with status 502 in the format of the request's protocol.
Response bad_gateway(const Request& request, const ForeignCall& call, const std::string& why);

}  // namespace fakes
