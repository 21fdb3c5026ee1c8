// The first line of a log: what a run is, and all that the metrics must know beside the events.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/events/event_log.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

// What a run's guests are, as its log and result say.
struct GuestDescription {
  std::string kind;   // "process", "fiber"
  std::string level;  // as guest::name() has it; "none" without sandboxes
  bool lockstep = false;
  std::vector<std::string> assumptions;  // that come with them
};

// Writes run.start (docs/event-log.md).
void write_run_start(EventLog& log, const Scenario& scenario, std::uint64_t seed,
                     const GuestDescription& guest);

}  // namespace sim::run
