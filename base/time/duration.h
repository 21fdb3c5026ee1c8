// Durations as people write them: in scenario files, job files and on command lines.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace base {

// Reads "90s", "2m", "1h30m", "0.5s", "250ms", "10us", "3d". Units are d, h, m, s, ms, us and ns,
// and every number needs one. Rounded to nanoseconds. Empty for any other text, a negative one, and
// one longer than 146 years.
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);
// The same; empty for no time at all, too.
std::optional<std::chrono::nanoseconds> parse_positive_duration(std::string_view text);

// "1h30m", "2m0.5s", "0s": parse_duration's inverse.
std::string format_duration(std::chrono::nanoseconds duration);

}  // namespace base
