// The filters of a field in an event pattern: {"prefix": "aws."}, {"numeric": [">", 0]}.
#pragma once

#include <functional>
#include <string>

#include "sim/kernel/json_object.h"

namespace sim::messaging {

// Throws std::invalid_argument with the reason if the value is not a filter.
void check_filter(const Json& filter);
// True if a value of an event passes a checked filter. Not for {"exists": …}, which has no value.
bool passes(const Json& filter, const Json& value);

}  // namespace sim::messaging
