// A template that is written in JSON.
#pragma once

#include <string>
#include <string_view>

#include "sim/kernel/json_object.h"

namespace sim::stacks {

// The tree, its numbers and booleans as strings. Throws ApiError ValidationError as
// read_template_text().
Json read_json_template(std::string_view text);
// Throws ApiError ValidationError for the first null below `tree`, whose path is `path`.
void refuse_nulls(const Json& tree, const std::string& path);

}  // namespace sim::stacks
