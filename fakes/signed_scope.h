// The region and the service in the signature of a request. The signature itself is verified only
// where IAM decides (fakes/authorisation).
#pragma once

#include <string>

#include "api/http.h"
#include "fakes/http/http.h"

namespace fakes {

struct SignedScope {
  std::string region, service;  // printable ASCII
};

// Throws ApiError for a request without a signature, and for an invalid one. `region` is that of
// signatures of version 2, which name neither region nor service.
SignedScope signed_scope(const api::HttpRequest& request, const std::string& region);
// The scope of a request that need not be signed. The region is empty if the request does not name
// it.
SignedScope any_scope(const api::HttpRequest& request);
// Both are empty if the request is not signed, or signed in an invalid form.
SignedScope signed_scope_of(const RequestHead& head, const std::string& body);
inline SignedScope signed_scope_of(const Request& request) {
  return signed_scope_of(request, request.body());
}

}  // namespace fakes
