// Durations as people write them on a command line.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace policies {

// Reads "90s", "2m", "1h30m", "4.5s", "250ms"; units are h, m, s, ms and us, and every number needs
// one. Empty when the text is anything else, is zero or negative, or does not fit 64 bits of ns.
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);

}  // namespace policies
