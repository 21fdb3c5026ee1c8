// Writes run.start, the first line of a log: what the run is, and all facts that the metrics need
// beyond the events.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/events/event_log.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

// Describes a run's guests for its log and result.
struct GuestDescription {
  std::string kind;   // "process", "fiber"
  std::string level;  // name() of guest::Level; "none" without sandboxes
  bool lockstep = false;
  std::vector<std::string> assumptions;  // assumptions of this kind of guests
};

// Writes run.start (docs/event-log.md).
void write_run_start(EventLog& log, const scenario::Scenario& scenario, std::uint64_t seed,
                     const GuestDescription& guest);

}  // namespace sim::run
