// The time axis of a report, in seconds of virtual time since the start of the run.
#pragma once

#include <algorithm>

#include "sim/kernel/time.h"

namespace sim::report {

struct Axis {
  Time begin{}, end{};

  double at(Time time) const {
    return seconds(std::clamp(time, begin, std::max(begin, end)) - begin);
  }
  double length() const { return at(end); }
};

}  // namespace sim::report
