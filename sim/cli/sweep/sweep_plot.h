// Pictures of a finished sweep.
#pragma once

#include <vector>

#include "sim/sweep/statistics.h"
#include "sim/traces/trace_file.h"

namespace sim::cli {

// Of each setting and group the variants by cost and makespan ("pareto…"), where no other is both
// cheaper and faster joined by a line; of a failing job the cost against the interval beside its
// formula
// ("cost-by-interval…"); of settings that differ in the deadline the cost against it
// ("cost-by-deadline…"). Of more than kMostMarketsShown groups only what is of all together.
std::vector<market::TraceFile> sweep_plots(const sweep::Grid& grid,
                                           const std::vector<sweep::Summary>& summaries);

}  // namespace sim::cli
