// JSON of clients. Copying, writing and checking a value recurse, so that a deep one would overflow
// the stack.
#pragma once

#include <string_view>

#include "sim/kernel/json_object.h"

namespace sim {

// Whether arrays and objects are nested at most 100 deep, as in the bodies of requests. The text
// need not be JSON.
bool is_shallow_json(std::string_view text);

// Discarded (Json::is_discarded) if the text is not JSON, or nested deeper.
Json parse_shallow_json(std::string_view text);

}  // namespace sim
