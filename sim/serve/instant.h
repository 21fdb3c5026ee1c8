// The profile `instant`, for who only tests API calls: what it makes of a scenario.
#pragma once

#include <string>

#include "sim/scenario/scenario.h"

namespace sim::serve {

// Of the on-demand price: what a spot instance costs in a pool of which a scenario has no prices.
inline constexpr double kInstantSpotShare = 0.3;

// AWS's state transitions take no time, and every instance type has a spot price in every zone, in
// the region that is asked for: zones keep their letters, and their pools their prices.
run::Scenario instant(run::Scenario scenario, const std::string& region);

}  // namespace sim::serve
