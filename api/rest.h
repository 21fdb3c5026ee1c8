// The places of a struct's members in rest-json and rest-xml: path, query string, headers, status,
// body.
#pragma once

#include "api/form.h"
#include "api/http.h"
#include "api/table.h"

namespace api {

// Into a new object of the operation's input. `query`: the parameters of the query string. Throws
// Refusal: kUnsupported for a member that no handler reads, and for what rest_unknown.h refuses; as
// read_json and read_xml for the body; kMalformed for a path of another operation.
void read_rest_request(const Service& service, const Operation& operation,
                       const HttpRequest& request, const Parameters& query, void* object);
// Throws Refusal kMissing if a part of the path is missing.
HttpRequest write_rest_request(const Service& service, const Operation& operation,
                               const void* object);

// A response to HEAD has no body.
HttpResponse write_rest_response(const Service& service, const Operation& operation,
                                 const void* object);
// Into a new object of the operation's output.
void read_rest_response(const Service& service, const Operation& operation,
                        const HttpResponse& response, void* object);

}  // namespace api
