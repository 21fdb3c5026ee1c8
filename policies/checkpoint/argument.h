// Reads arguments of policies. All functions throw std::invalid_argument with what was expected.
#pragma once

#include <cstdint>
#include <string_view>

#include "policies/checkpoint/state.h"

namespace policies {

// "10m", above 0; see base/time/duration.h.
Duration read_duration(std::string_view text);

// A whole number, at least 1; `what` names it in the error.
std::int64_t read_count(std::string_view text, std::string_view what);

// Above 0 and below 1.
double read_share(std::string_view text);

}  // namespace policies
