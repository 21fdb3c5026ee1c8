// A second implementation of SkyNomad's simulator (sky_spot/simulate.py, env.py and strategies/ of
// its artifact, tag nsdi27-ae). It is a loop over ticks that shares no code with the strategies and
// with run_pools(), which are compared with it. Money and times are doubles, hours and seconds, in
// the artifact's order of operations.
#pragma once

#include <optional>
#include <string_view>

#include "sim/ticks/pools.h"

namespace sim::agreement {

// The strategy's cost in USD. Empty if it is not one of SkyNomad's, or the job does not have its
// conventions.
std::optional<double> skynomad_cost(const ticks::TickJob& job, const ticks::Pools& pools,
                                    std::string_view strategy);

}  // namespace sim::agreement
