// The advice of a finished sweep, in words.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/sweep/statistics.h"

namespace sim::cli {

// A sentence for each table of sweep_table(): the best variant that is no oracle, the next best,
// and the value of perfect foresight. Parts that the sweep does not have are omitted.
std::string sweep_advice(const sweep::Grid& grid, const std::vector<sweep::Summary>& summaries,
                         const Styler& styled = {});

}  // namespace sim::cli
