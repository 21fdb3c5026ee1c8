// The first line of a log: what a run is, and all that the metrics must know beside the events.
#pragma once

#include <cstdint>

#include "sim/guest/process_host.h"
#include "sim/kernel/event_log.h"
#include "sim/run/scenario.h"

namespace sim::run {

// The fields of run.start (docs/event-log.md).
Json opening(const Scenario& scenario, std::uint64_t seed, const guest::GuestConfig& guest);

}  // namespace sim::run
