// The region and the service in the signature of a request.
#pragma once

#include <string>

#include "fakes/http/http.h"

namespace fakes {

// Both are empty if the request is not signed, or signed in an invalid form.
struct SignedScope {
  std::string region, service;
};
SignedScope signed_scope_of(const Request& request);

}  // namespace fakes
