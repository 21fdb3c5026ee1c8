// The position of a window in time, which decides the overlap with other windows.
#pragma once

#include "sim/kernel/time.h"

namespace sim::ticks {

struct WindowOrigin {
  enum class Kind {
    kApart,    // drawn for itself: shares nothing with other windows
    kInTrace,  // from `from` for `length`, in the trace of its market
    kUnknown,  // cut from its market's trace at an unknown place
  };
  Kind kind = Kind::kApart;
  Duration from{}, length{};
};

}  // namespace sim::ticks
