// spotrun's parsed command line.
#pragma once

#include <string>

#include "orchestrator/acquire/strategy_plan.h"
#include "orchestrator/job/fleet_file.h"

namespace spotrun {

struct CommandLine {
  std::string command;  // "prepare", "submit", "wait", "status", "instance" …
  std::string job;      // path of the job file
  // For submit: one of the first two is set, and the others belong to a fleet.
  std::string fleet, on_demand;
  FleetOptions fleet_options;
  std::string on_demand_after_failures, on_demand_after_waiting;
  StrategyOptions strategy;
};

}  // namespace spotrun
