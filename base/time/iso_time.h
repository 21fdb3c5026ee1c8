// Times as texts: ISO 8601 in UTC, as AWS, the event log and trace files have them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace base {

using UtcTime = std::chrono::sys_time<std::chrono::nanoseconds>;

// "2019-11-05T10:00:00.000Z" with this many digits of the second's fraction, at most nine; 0 digits
// omit the dot. Further digits are cut off.
std::string iso_time(UtcTime time, int fraction_digits);

// Reads "2019-11-05", "…T10:00", "…T10:00:00", a fraction of up to nine digits, "Z" or "+hh:mm". A
// blank may replace the T; without a zone, the time is UTC. Empty for any other text, and for a
// time before 1678 or after 2261, which 64 bits of nanoseconds cannot hold.
std::optional<UtcTime> parse_iso_time(std::string_view text);

}  // namespace base
