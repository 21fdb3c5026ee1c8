// Which level of the sandbox (sim/guest/sandbox/level.h) a run's process guests get.
#pragma once

#include <optional>
#include <string>

#include "sim/guest/sandbox/level.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

struct GuestLevel {
  guest::Level level = guest::Level::kPlain;
  std::string why;  // what prevents a better level; empty at kRoot
};

// Chooses the level: the command line's, else the scenario's, else the best one that this machine
// permits. At kPlain scripts run on this machine itself, so only the command line can choose it.
// Throws RunError that names the missing right and the remedy.
GuestLevel level_for(const scenario::Scenario& scenario, std::optional<guest::Level> asked);

}  // namespace sim::run
