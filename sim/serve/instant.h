// Scenarios that `spotsim serve` makes: of another one for the profile `instant`, and of none.
#pragma once

#include <string>

#include "sim/kernel/time.h"
#include "sim/scenario/scenario.h"

namespace sim::serve {

// Of the on-demand price: what a spot instance costs in a pool of which a scenario has no prices.
inline constexpr double kInstantSpotShare = 0.3;

// AWS's state transitions take no time, and every instance type has a spot price in every zone, in
// the region that is asked for: zones keep their letters, and their pools their prices.
run::Scenario instant(run::Scenario scenario, const std::string& region);

// A world without a file: us-west-2, where each instance type has a constant spot price in every
// zone, and unlimited capacity.
run::Scenario default_scenario(Time start);
// The same world at another time: prices move along, all else is relative to the start.
void move_to(run::Scenario& scenario, Time start);

}  // namespace sim::serve
