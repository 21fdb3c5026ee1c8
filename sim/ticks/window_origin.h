// The position of a window in time. It decides which parts of the trace the window shares with
// others.
#pragma once

#include "sim/kernel/time.h"

namespace sim::sweep {

struct WindowOrigin {
  enum class Kind {
    kApart,    // drawn for itself: shares nothing
    kInTrace,  // from `from` for `length`, in the trace of its market
    kUnknown,  // cut from its market's trace, nobody says where
  };
  Kind kind = Kind::kApart;
  Duration from{}, length{};
};

}  // namespace sim::sweep
