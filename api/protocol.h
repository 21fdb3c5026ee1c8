// Converts one request or response of any AWS protocol between HTTP and a struct, in both
// directions.
#pragma once

#include <string>

#include "api/form.h"
#include "api/http.h"
#include "api/table.h"
#include "api/written_list.h"

namespace api {

// ---- the server's side

bool has_form_body(const HttpRequest& request);  // by its content type
// The parameters of query string and form-encoded body. Those of the signature (X-Amz-Date …) are
// omitted. Throws Refusal.
Parameters parameters_of(const Service& service, const HttpRequest& request);
// The operation of a request. Null if there is none.
const Operation* route(const Service& service, const HttpRequest& request,
                       const Parameters& parameters);
// Reads and validates a request, into a new object of the operation's input. Throws Refusal.
void read_request(const Service& service, const Operation& operation, const HttpRequest& request,
                  const Parameters& parameters, void* object);
// `written` is allowed only for a service whose responses are XML.
HttpResponse write_response(const Service& service, const Operation& operation, const void* object,
                            const std::string& request_id, const WrittenList& written = {});

// Performs only the checks of read_request(), for a request that is already a struct. Throws
// Refusal.
void validate_request(const Service& service, const Operation& operation, const void* object);

// ---- the client's side

HttpRequest write_request(const Service& service, const Operation& operation, const void* object);
// Reads a response into a new object of the operation's output. Throws Refusal kMalformed, or kType
// if the text is not a response of this operation.
void read_response(const Service& service, const Operation& operation, const HttpResponse& response,
                   void* object);

}  // namespace api
