// Converts HTTP messages between the server's form and the form of the codecs.
#pragma once

#include <string>

#include "api/http.h"
#include "fakes/http/http.h"

namespace fakes {

api::HttpRequest read_http(const RequestHead& request, const std::string& body);
Response as_response(api::HttpResponse http);

}  // namespace fakes
