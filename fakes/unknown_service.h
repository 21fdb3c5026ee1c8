// Requests to services or in protocols without a model here: their action, and the error that
// refuses them.
#pragma once

#include <string>
#include <string_view>

#include "api/error.h"
#include "api/http.h"

namespace fakes {

// The action's name in the JSON protocols ("Logs_20140328.GetLogEvents"), printable. Empty if the
// request has none.
std::string json_target(const api::HttpRequest& request);

// Throws ApiError NotImplemented for a request in Smithy's RPC protocol, which no service speaks
// here. `service` is served in another protocol.
void refuse_cbor(const api::HttpRequest& request, std::string_view service);

// The action of a request in its protocol's form: "GetRole", or for a REST service "GET
// /2015-03-31/functions".
std::string action_of_unknown_service(const api::HttpRequest& request);

// An error in the format of the request's protocol. `service` is the name in the request's
// signature, or empty.
api::HttpResponse error_of_unknown_service(const api::HttpRequest& request,
                                           std::string_view service, const api::Error& error,
                                           const std::string& id);

}  // namespace fakes
