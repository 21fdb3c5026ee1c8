// Parses a CloudFormation template in JSON or YAML into one tree of JSON.
#pragma once

#include <string>
#include <string_view>

#include "sim/cloud/error.h"
#include "sim/kernel/json_object.h"

namespace sim::stacks {

using cloud::ApiError;

// The error for invalid templates, parameters and stacks.
inline ApiError invalid(const std::string& message) { return {"ValidationError", message}; }

// Converts every scalar into a string, because CloudFormation treats 22 and "22" as equal. Converts
// YAML's short forms into the long ones: `!Sub x` becomes {"Fn::Sub": "x"}. If a key is repeated,
// the last value counts. Throws ApiError ValidationError, with line and column, for:
// - a text that is neither JSON nor YAML
// - null values, and aliases and merges of YAML
// - more than kDeepest levels or more than kMostNodes values
Json read_template_text(std::string_view text);

inline constexpr int kDeepest = 64;
inline constexpr int kMostNodes = 200'000;

}  // namespace sim::stacks
