// Durations as numbers for formulas, and back.
#pragma once

#include <algorithm>

#include "policies/checkpoint/state.h"

namespace policies {

inline double seconds_of(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

// Rounded down to nanoseconds; at most 100 years, for infinity among others.
inline Duration duration_of(double seconds) {
  constexpr double kLongest = 100 * 365.25 * 86'400;
  return Duration(static_cast<std::int64_t>(std::clamp(seconds, 0.0, kLongest) * 1e9));
}

}  // namespace policies
