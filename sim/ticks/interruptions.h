// Interruptions that are added to a trace at random, and how often windows interrupt.
#pragma once

#include <optional>
#include <vector>

#include "sim/ticks/windows.h"

namespace sim::ticks {

// Each pool is interrupted independently, after exponential times with these means.
struct Interruptions {
  Duration every;  // from the start of capacity to its end
  Duration away;   // until capacity returns; at least a tick
  std::uint64_t seed = 1;
};
void interrupt(std::vector<Window>& windows, Duration tick, const Interruptions& drawn);

// The time in all pools of all windows, for an instance that bids the on-demand price.
struct SpotLife {
  Duration there{};  // time with spot capacity
  std::int64_t interruptions = 0;

  // The maximum-likelihood mean of exponential times between interruptions, because windows end
  // before spot does. Empty without an interruption.
  std::optional<Duration> mean() const {
    return interruptions > 0 ? std::optional(there / interruptions) : std::nullopt;
  }
};
SpotLife spot_life(const std::vector<Window>& windows, const TickJob& job);

}  // namespace sim::ticks
