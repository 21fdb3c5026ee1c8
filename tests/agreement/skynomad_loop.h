// SkyNomad's simulator once more (sky_spot/simulate.py, env.py and strategies/ of its artifact, tag
// nsdi27-ae), written down as a loop over ticks that shares nothing with the strategies and with
// run_pools(): what they are compared with. Money and times are doubles, hours and seconds, in the
// artifact's order of operations.
#pragma once

#include <optional>
#include <string_view>

#include "sim/ticks/pools.h"

namespace sim::agreement {

using namespace sweep;

// What the strategy costs, USD; empty where it is none of SkyNomad's, or the job does not have its
// conventions.
std::optional<double> skynomad_cost(const TickJob& job, const Pools& pools,
                                    std::string_view strategy);

}  // namespace sim::agreement
