// Keeps web pages away from the service. A page that is open in a browser on this machine can send
// requests to the port, and by DNS rebinding it can also read the answers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/http/http.h"
#include "sim/serve/address.h"

namespace sim::serve {

// Every call of the control API has this header, with any value. A browser sends it to another site
// only after that site has agreed to it (CORS preflight), which this service never does.
inline constexpr const char* kControlHeader = "X-Spotsim-Control";

// True if the service answers to this Host header ("localhost:5000"):
// - localhost and every IP address: a rebound name is never one of these
// - the names that the service stands in for: *.localhost, amazonaws.com and what is below it
// - `allowed`: names that the user adds (--allow-host); ".example.com" also allows names below it
bool is_own_host(std::string_view host, const std::vector<std::string>& allowed);

// The answer to a request that a web page of another site may have sent, with status 403 and
// {"error": …}. Empty for any other request.
std::optional<fakes::Response> refuse_web_page(const fakes::Request& request, Addressee addressee,
                                               const std::vector<std::string>& allowed);

}  // namespace sim::serve
