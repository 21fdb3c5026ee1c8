// Scenarios that `spotsim serve` makes: for the profile `instant`, and for a service without a
// file.
#pragma once

#include <string>

#include "sim/kernel/time.h"
#include "sim/scenario/scenario.h"

namespace sim::serve {

// The spot price relative to on-demand in pools for which a scenario has no prices.
inline constexpr double kInstantSpotShare = 0.3;

// The scenario with instant transitions, and a spot price for every instance type in every zone of
// the requested region. Zones keep their letters, and pools keep their prices.
scenario::Scenario instant(scenario::Scenario scenario, const std::string& region);

// The world without a file: us-west-2 with a constant spot price for each instance type in every
// zone, and unlimited capacity.
scenario::Scenario default_scenario(Time start);
// The same world at another time. Prices are shifted; everything else is relative to the start.
void move_to(scenario::Scenario& scenario, Time start);

}  // namespace sim::serve
