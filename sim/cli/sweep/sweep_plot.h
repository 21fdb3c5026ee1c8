// Pictures of a finished sweep.
#pragma once

#include <vector>

#include "sim/sweep/statistics.h"
#include "sim/traces/trace_file.h"

namespace sim::cli {

// Draws a sweep. For each setting and group, "pareto…" shows the variants by cost and makespan; a
// line joins the variants for which no other is both cheaper and faster. For a failing job,
// "cost-by-interval…" shows the cost by interval with its formula. For settings that differ in the
// deadline, "cost-by-deadline…" shows the cost by deadline. With more than kMostMarketsShown
// groups, only the pictures of all groups together are drawn.
std::vector<traces::TraceFile> sweep_plots(const sweep::Grid& grid,
                                           const std::vector<sweep::Summary>& summaries);

}  // namespace sim::cli
