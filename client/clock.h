// Time as a client of AWS sees it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/time/iso_time.h"

namespace client {

using Duration = std::chrono::milliseconds;
using Time = std::chrono::sys_time<Duration>;  // UTC

// "2019-11-05T10:00:00.000Z", as AWS has times.
inline std::string iso_time(Time time) { return base::iso_time(time, 3); }
// Like base::parse_iso_time. Fractions of a millisecond are dropped.
inline std::optional<Time> parse_iso_time(std::string_view text) {
  const auto time = base::parse_iso_time(text);
  if (!time) return {};
  return std::chrono::floor<Duration>(*time);
}

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time now() = 0;
  virtual void sleep(Duration duration) = 0;
};

}  // namespace client
