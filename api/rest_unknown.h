// Refuses a REST request with a header or query key that no member of its operation takes. AWS
// ignores such a header or key only if no version of the service knows it. The installed model can
// be older than the client, so this code cannot distinguish the two cases.
#pragma once

#include "api/form.h"
#include "api/http.h"
#include "api/table.h"

namespace api {

// Throws Refusal kUnsupported, which names the first header or query key that no member takes. All
// query keys are checked. Of the headers, only those that change what a service does are checked:
// "x-amz-…", "If-…" and Content-Range. The tables in rest_unknown.cpp list the permitted ones, with
// reasons.
void refuse_unknown(const Operation& operation, const Headers& headers, const Parameters& query);

// Whether a member of the operation's input takes a header, named in lower case.
bool takes_header(const Operation& operation, std::string_view lower);

// Whether a query key is part of a signature ("X-Amz-Signature"), in any case.
bool is_of_signature(std::string_view query_key);

}  // namespace api
