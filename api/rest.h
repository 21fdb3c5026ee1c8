// Reads and writes messages of rest-json and rest-xml. Members of a struct are in the path, query
// string, headers, status or body.
#pragma once

#include "api/form.h"
#include "api/http.h"
#include "api/table.h"

namespace api {

// Reads a request into a new object of the operation's input. `query` has the parameters of the
// query string. Throws Refusal:
// - kUnsupported for a member that no handler reads, and for everything that rest_unknown.h refuses
// - kMalformed if the path belongs to another operation
// - as read_json() and read_xml() do, for the body
void read_rest_request(const Service& service, const Operation& operation,
                       const HttpRequest& request, const Parameters& query, void* object);
// Throws Refusal kMissing if a part of the path is missing.
HttpRequest write_rest_request(const Service& service, const Operation& operation,
                               const void* object);

// A response to HEAD has no body.
HttpResponse write_rest_response(const Service& service, const Operation& operation,
                                 const void* object);
// Reads a response into a new object of the operation's output.
void read_rest_response(const Service& service, const Operation& operation,
                        const HttpResponse& response, void* object);

}  // namespace api
