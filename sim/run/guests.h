// The two kinds of guests: real programs in sandboxes (process_guests) and models on fibers
// (fiber_guests). Each kind gives a run a factory for its GuestHost, and the texts that describe
// it.
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

// A kind of guests that has passed its checks and can be made for runs.
struct Guests {
  GuestDescription description;
  std::vector<std::string> told;  // printed for the user before the run
  // Makes the guests of one run, after its clock and log exist. Oracles read the future from the
  // forecast. Errors are std::runtime_error.
  std::function<std::shared_ptr<guest::GuestHost>(Simulation&, EventLog&, const Streams&,
                                                  const RunOptions&, guest::NextInterruption)>
      make;
};

// Throws RunError if this machine lacks something that the scenario needs. The fiber version throws
// it if the scenario cannot be modelled, with file and line.
Guests process_guests(const scenario::Scenario& scenario, const RunOptions& options);
// The result serves any number of runs on any threads.
Guests fiber_guests(const scenario::Scenario& scenario);

}  // namespace sim::run
