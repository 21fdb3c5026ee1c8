// What a request for AWS is signed for.
#pragma once

#include <string>

#include "fakes/http/http.h"

namespace fakes {

// Both are empty where it is not signed, or wrongly.
struct SignedScope {
  std::string region, service;
};
SignedScope signed_scope_of(const Request& request);

}  // namespace fakes
