// Converts HTTP messages between the server's form and the form of the codecs.
#pragma once

#include <string>

#include "api/http.h"
#include "fakes/http/http.h"

namespace fakes {

api::HttpRequest read_http(const RequestHead& request, const std::string& body);
Response as_response(api::HttpResponse http);

// Decompresses a body that the client compressed ("Content-Encoding: gzip"), as SDKs do with long
// requests of CloudWatch. Throws ApiError for invalid data, and for more than 4 MiB.
void decompress(api::HttpRequest& request);

}  // namespace fakes
