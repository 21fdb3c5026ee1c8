// The kinds of guests that a run can have.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/guest/fiber/spot_watch.h"
#include "sim/guest/guest_host.h"
#include "sim/run/run.h"
#include "sim/run/run_start.h"

namespace sim::run {

struct Guests {
  GuestDescription description;
  std::vector<std::string> told;  // to the user, before the run
  // Makes those of one run, when its clock and log are there; the future is for oracles. Errors are
  // std::runtime_error.
  std::function<std::shared_ptr<guest::GuestHost>(Simulation&, EventLog&, const Streams&,
                                                  const RunOptions&, guest::NextInterruption)>
      make;
};

// Both throw RunError: this machine lacks what the scenario asks for; the scenario has what cannot
// be modelled (with its file and line).
Guests process_guests(const Scenario& scenario, const RunOptions& options);
// For any number of runs, of any threads.
Guests fiber_guests(const Scenario& scenario);

}  // namespace sim::run
