// A model's constraints on a request.
#pragma once

#include <string>
#include <string_view>

#include "api/table.h"

namespace api {

// A member's path in a service's words: "Filter.1.Name", "filters.1.member.name".
using Child = std::string (*)(const std::string& path, const Member& member);

// Checks all below a request: that required members are there and that members which no handler
// reads are not, enums, ranges, lengths (in characters). Throws Refusal for the first that is
// wrong.
void validate(const Shape& structure, const void* object, Child child);

}  // namespace api
