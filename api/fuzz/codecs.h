// The codecs as functions of one text, for fuzzing. A request is "SERVICE METHOD PATH?QUERY", its
// headers, an empty line and its body. A response is "SERVICE OPERATION" and the same other parts.
#pragma once

#include <string_view>

#include "api/fuzz/fuzz.h"

namespace api {

Fuzzed fuzz_request(std::string_view input);
Fuzzed fuzz_response(std::string_view input);
// Input: a response whose body is a request in the plain JSON style.
Fuzzed fuzz_plain_json(std::string_view input);
// Input: a scalar of each type, and percent encoding.
Fuzzed fuzz_scalars(std::string_view input);
// Input: a path pattern, a line end, a path.
Fuzzed fuzz_path(std::string_view input);

}  // namespace api
