// Interruptions that a trace does not have, drawn on top of it; and how often windows interrupt.
#pragma once

#include <optional>
#include <vector>

#include "sim/ticks/windows.h"

namespace sim::sweep {

// Each pool's spot is taken for itself: exponential times with these means.
struct Interruptions {
  Duration every;  // from when it is there until it is taken
  Duration away;   // until it is there again; a tick at least
  std::uint64_t seed = 1;
};
void interrupt(std::vector<Window>& windows, Duration tick, const Interruptions& drawn);

// What an instance that bids the on-demand price sees in all pools of all windows.
struct SpotLife {
  Duration there{};  // spot that can be had
  std::int64_t interruptions = 0;

  // The mean time between interruptions if they are exponential (the maximum likelihood's: windows
  // end before spot does); empty where there was none.
  std::optional<Duration> mean() const {
    return interruptions > 0 ? std::optional(there / interruptions) : std::nullopt;
  }
};
SpotLife spot_life(const std::vector<Window>& windows, const TickJob& job);

}  // namespace sim::sweep
