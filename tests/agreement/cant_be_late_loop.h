// The rules of "Can't Be Late" (Wu et al., NSDI'24) once more, as a plain loop over ticks in exact
// integers that shares nothing with the policies: what they are compared with.
#pragma once

#include <optional>
#include <string_view>

#include "sim/ticks/tick_run.h"

namespace sim::agreement {

using namespace sweep;

// Times in units of which a millisecond has whole ones; n slices; prices in nano-dollars.
struct PlainSetting {
  std::int64_t work, deadline, changeover, tick, slices, on_demand, spot, millisecond;
};

// Ticks, launches and interruptions of one of the eight rules, "time-sliced" without its argument.
TickOutcome cant_be_late_loop(const PlainSetting& setting, const std::vector<std::uint8_t>& there,
                              std::string_view rule);

// What the policy costs by the loop; empty where it is none of the eight rules ("time-sliced:8"),
// or the job is not as the paper's: whole ticks billed, one price, no checkpoints.
std::optional<market::Usd> cant_be_late_cost(const TickJob& job, const SpotWindow& window,
                                             std::string_view policy);

}  // namespace sim::agreement
