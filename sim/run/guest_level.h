// Which level of the sandbox (sim/guest/sandbox/level.h) a run's process guests get.
#pragma once

#include <optional>
#include <string>

#include "sim/guest/sandbox/level.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

struct GuestLevel {
  guest::Level level = guest::Level::kPlain;
  std::string why;  // what stands against a better one; empty at kRoot
};

// The level that the command line asks for, else the scenario's own, else the best that this
// machine permits. At kPlain the scenario's scripts run on this machine itself, so only the command
// line can ask for it. Throws RunError: the message names the missing right and the remedy.
GuestLevel level_for(const Scenario& scenario, std::optional<guest::Level> asked);

}  // namespace sim::run
