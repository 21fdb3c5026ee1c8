// Requests for services that have no model here: what they ask for, and how they are refused.
#pragma once

#include <string>
#include <string_view>

#include "api/error.h"
#include "api/http.h"

namespace fakes {

// The JSON protocols' name of the action ("Logs_20140328.GetLogEvents"), printable; empty where the
// request has none.
std::string json_target(const api::HttpRequest& request);

// What a request asks for, in the words of its protocol: "GetRole", or for a REST service "GET
// /2015-03-31/functions".
std::string action_of_unknown_service(const api::HttpRequest& request);

// An error in the words of the request's protocol. `service`: the name that the request is signed
// for; empty where there is none.
api::HttpResponse error_of_unknown_service(const api::HttpRequest& request,
                                           std::string_view service, const api::Error& error,
                                           const std::string& id);

}  // namespace fakes
