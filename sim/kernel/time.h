// Virtual time: int64 nanoseconds since the Unix epoch, on a clock that only the simulation moves.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time/duration.h"

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

// As base::parse_iso_time.
std::optional<Time> parse_time(std::string_view text);

using base::format_duration;
using base::parse_duration;

constexpr double seconds(Duration d) { return std::chrono::duration<double>(d).count(); }
// The duration nearest to s seconds.
Duration from_seconds(double s);

}  // namespace sim
