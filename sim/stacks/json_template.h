// Parses a template that is written in JSON.
#pragma once

#include <string>
#include <string_view>

#include "sim/kernel/json_object.h"

namespace sim::stacks {

// Returns the tree, with numbers and booleans converted to strings. Throws ApiError ValidationError
// as read_template_text() does.
Json read_json_template(std::string_view text);
// Throws ApiError ValidationError for the first null in `tree`. `path` is the path of `tree`
// itself.
void refuse_nulls(const Json& tree, const std::string& path);

}  // namespace sim::stacks
