// Refuses a REST request that says something which no member of its operation takes. AWS ignores
// such a header or query key only if no version of the service knows it. The installed model can be
// older than the client, so nothing here tells the two cases apart.
#pragma once

#include "api/form.h"
#include "api/http.h"
#include "api/table.h"

namespace api {

// Throws Refusal kUnsupported, which names the first header or query key that no member takes.
// Query keys are all looked at; of the headers those that ask a service for something: "x-amz-…",
// "If-…" and Content-Range. The tables in rest_unknown.cpp list what passes, and why.
void refuse_unknown(const Operation& operation, const Headers& headers, const Parameters& query);

// Whether a member of the operation's input takes a header, named in lower case.
bool takes_header(const Operation& operation, std::string_view lower);

// Whether a query key is part of a signature ("X-Amz-Signature"), in any case.
bool is_of_signature(std::string_view query_key);

}  // namespace api
