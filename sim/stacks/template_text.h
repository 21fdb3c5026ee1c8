// A CloudFormation template's text, JSON or YAML, as one tree of JSON.
#pragma once

#include <string>
#include <string_view>

#include "sim/cloud/error.h"
#include "sim/kernel/json_object.h"

namespace sim::stacks {

using cloud::ApiError;

// Errors of templates, parameters and stacks, as the service answers them.
inline ApiError invalid(const std::string& message) { return {"ValidationError", message}; }

// Every scalar becomes a string, because CloudFormation compares 22 and "22" as equal. YAML's short
// forms become the long ones: `!Sub x` is {"Fn::Sub": "x"}. Throws ApiError ValidationError with
// line and column for a text that is neither; also for null values, YAML's aliases and merges, two
// equal keys, more than kDeepest levels and more than kMostNodes values.
Json read_template_text(std::string_view text);

inline constexpr int kDeepest = 64;
inline constexpr int kMostNodes = 200'000;

}  // namespace sim::stacks
