// A second implementation of the rules of "Can't Be Late" (Wu et al., NSDI'24): a plain loop over
// ticks in exact integers that shares no code with the policies. The policies are compared with it.
#pragma once

#include <optional>
#include <string_view>

#include "sim/ticks/tick_run.h"

namespace sim::agreement {

// Times in a unit that divides a millisecond; n slices; prices in nano-dollars.
struct PlainSetting {
  std::int64_t work, deadline, changeover, tick, slices, on_demand, spot, millisecond;
};

// Ticks, launches and interruptions under one of the eight rules; "time-sliced" without its
// argument.
ticks::TickOutcome cant_be_late_loop(const PlainSetting& setting,
                                     const std::vector<std::uint8_t>& there, std::string_view rule);

// The policy's cost by the loop. Empty if it is none of the eight rules ("time-sliced:8"), or the
// job differs from the paper's: whole ticks billed, one price, no checkpoints.
std::optional<market::Usd> cant_be_late_cost(const ticks::TickJob& job,
                                             const ticks::SpotWindow& window,
                                             std::string_view policy);

}  // namespace sim::agreement
