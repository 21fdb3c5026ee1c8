// Time as the orchestrator sees it. Its logic reads and spends time only through this seam.
#pragma once

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "base/iso_time.h"

namespace spotrun {

using Duration = std::chrono::milliseconds;
using Time = std::chrono::sys_time<Duration>;  // UTC

// "2019-11-05T10:00:00.000Z", as AWS has times.
inline std::string iso_time(Time time) { return base::iso_time(time, 3); }
// As base::parse_iso_time; what is below a millisecond is cut off.
inline std::optional<Time> parse_iso_time(std::string_view text) {
  const auto time = base::parse_iso_time(text);
  if (!time) return {};
  return std::chrono::floor<Duration>(*time);
}

// This program was asked to end (SIGTERM, SIGINT): the machine is going down.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "asked to stop"; }
};

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time now() = 0;
  // Since whenever: for how long something took. Nobody sets it right, as now().
  virtual Duration elapsed() = 0;
  // Throws Stopped when a request to stop arrives or is pending; each request is thrown once, so
  // that the cleaning up after it can wait again.
  virtual void sleep(Duration duration) = 0;

  // ---- looking again and again at what others change
  // A look begins now.
  virtual void look() {}
  // Sleeps until the next look, which begins. Where it is known when something changes, the looks
  // in between need not be made: each would take as long as the one before and find the same, but
  // for the first at whose end it is `until`, from when on it may be taken otherwise.
  virtual void sleep_between_looks(Duration interval, Time /*until*/) {
    sleep(interval);
    look();
  }
};

}  // namespace spotrun
