// Passes requests for services that spotsim does not have to another endpoint (`--fallback`).
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "fakes/http/http.h"

namespace sim::serve {

// "http://HOST:PORT" without a final slash. Empty for a text that is not the URL of an endpoint.
std::string endpoint_of(std::string_view url);

struct NoEndpoint {
  std::string why;
};

// Sends method, path, headers and body as they arrived, and waits for the answer, at most a minute.
// The service answers no one else meanwhile. Only headers of the connection itself are not passed.
std::variant<fakes::Response, NoEndpoint> pass_on(const std::string& endpoint,
                                                  const fakes::Request& request);

}  // namespace sim::serve
