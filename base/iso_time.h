// Times as texts: ISO 8601 in UTC, as AWS, the event log and trace files have them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace base {

using UtcTime = std::chrono::sys_time<std::chrono::nanoseconds>;

// "2019-11-05T10:00:00.000Z" with so many digits of the second's fraction, at most nine; without
// its dot where that is 0. What has no digit is cut off.
std::string iso_time(UtcTime time, int fraction_digits);

// Reads "2019-11-05", "…T10:00", "…T10:00:00", a fraction of up to nine digits, "Z" or "+hh:mm"; a
// blank may stand for the T, and no zone is UTC. Empty when the text is anything else, or a time
// before 1678 or after 2261, which 64 bits of nanoseconds do not hold.
std::optional<UtcTime> parse_iso_time(std::string_view text);

}  // namespace base
