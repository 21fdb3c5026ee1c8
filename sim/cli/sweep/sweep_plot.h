// Pictures of a finished sweep.
#pragma once

#include <vector>

#include "sim/sweep/statistics.h"
#include "sim/traces/trace_file.h"

namespace sim::cli {

// Pictures of a sweep. For each setting and group, the variants by cost and makespan ("pareto…"); a
// line joins those for which no other is both cheaper and faster. For a failing job, the cost by
// interval with its formula ("cost-by-interval…"). For settings that differ in the deadline, the
// cost by deadline ("cost-by-deadline…"). With more than kMostMarketsShown groups, only the
// pictures of all groups together.
std::vector<traces::TraceFile> sweep_plots(const sweep::Grid& grid,
                                           const std::vector<sweep::Summary>& summaries);

}  // namespace sim::cli
