// How virtual time follows real time: at its pace, at a multiple of it, or not at all.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "sim/kernel/time.h"

namespace sim::serve {

// A reading of a monotonic real clock with an arbitrary origin.
using RealTime = std::chrono::nanoseconds;

// The relation of virtual to real time, as --speed states it.
struct Speed {
  enum class Kind {
    kTimes,  // this number of virtual seconds per real second
    kMax,    // each call finds the next change in the cloud done: clients set the pace
    kManual  // only the control API moves it
  };
  Kind kind = Kind::kTimes;
  double times = 1;
};

inline constexpr double kFastest = 1e6;  // times

// Parses "1x", "60x", "0.5x", "max" or "manual". Empty for anything else, and for speeds of 0 or
// above kFastest.
std::optional<Speed> parse_speed(std::string_view text);
std::string to_string(Speed speed);

// Converts readings of the real clock to virtual time and back. It reads no clock itself, so tests
// pass any times.
class Pace {
 public:
  Pace(Speed speed, Time start, RealTime real) : speed_(speed) { jump(start, real); }

  Speed speed() const { return speed_; }
  // Sets virtual time to `now` at that reading.
  void jump(Time now, RealTime real);
  // Virtual time at a reading.
  Time at(RealTime real) const;
  // The real time from that reading until virtual time reaches t, at least zero. Empty if virtual
  // time does not move by itself.
  std::optional<RealTime> until(Time t, RealTime real) const;

 private:
  Speed speed_;
  Time anchor_{};
  RealTime anchor_real_{};
};

}  // namespace sim::serve
