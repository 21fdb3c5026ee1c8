// How virtual time follows the real one: the wall clock's pace or a multiple of it, or not at all.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "sim/kernel/time.h"

namespace sim::serve {

// A reading of a real clock that never goes back, from an instant of its own on.
using RealTime = std::chrono::nanoseconds;

struct Speed {
  enum class Kind {
    kTimes,  // so many virtual seconds in a real one
    kMax,    // each call finds the next change in the cloud done: clients alone set the pace
    kManual  // only the control API moves it
  };
  Kind kind = Kind::kTimes;
  double times = 1;
};

inline constexpr double kFastest = 1e6;  // times

// "1x", "60x", "0.5x", "max", "manual"; empty for anything else, for 0 and beyond kFastest.
std::optional<Speed> parse_speed(std::string_view text);
std::string to_string(Speed speed);

class Pace {
 public:
  Pace(Speed speed, Time start, RealTime real) : speed_(speed) { jump(start, real); }

  Speed speed() const { return speed_; }
  // Virtual time is `now` at that reading, and goes on from there.
  void jump(Time now, RealTime real);
  // Where it stands at a reading.
  Time at(RealTime real) const;
  // From that reading to the one at which virtual time has come to t, at least zero; empty when it
  // does not go there by itself.
  std::optional<RealTime> until(Time t, RealTime real) const;

 private:
  Speed speed_;
  Time anchor_{};
  RealTime anchor_real_{};
};

}  // namespace sim::serve
