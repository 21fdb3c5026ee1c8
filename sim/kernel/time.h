// Virtual time: int64 nanoseconds since the Unix epoch, on a clock that only the simulation moves.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sim {

struct Clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock, duration>;
  static constexpr bool is_steady = true;
};
using Duration = Clock::duration;
using Time = Clock::time_point;

using namespace std::chrono_literals;

// "2019-11-05T10:00:00.000000000Z": the event log's form.
std::string iso_nanoseconds(Time t);
// "2019-11-05T10:00:00.000Z": the form of EC2's XML answers.
std::string iso_milliseconds(Time t);
// "2019-11-05T10:00:00Z": the form of the instance metadata service; the fraction is cut off.
std::string iso_seconds(Time t);

// Reads ISO 8601 in UTC: "2019-11-05", "…T10:00:00", a fraction of up to nine digits, "Z" or
// "+hh:mm"; a blank may stand for the T. Empty when the text is anything else.
std::optional<Time> parse_time(std::string_view text);

// Reads "90s", "2m", "1h30m", "0.5s", "250ms", "10us", "3d"; every number needs its unit. Empty
// when the text is anything else, is negative or does not fit.
std::optional<Duration> parse_duration(std::string_view text);

// "1h30m", "2m0.5s", "0s": parse_duration's inverse.
std::string format_duration(Duration d);

constexpr double seconds(Duration d) { return std::chrono::duration<double>(d).count(); }
// The duration nearest to s seconds.
Duration from_seconds(double s);

}  // namespace sim
