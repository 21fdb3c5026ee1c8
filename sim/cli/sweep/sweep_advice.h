// What a finished sweep says to do, in words.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/sweep/statistics.h"

namespace sim::cli {

// A sentence for each table of sweep_table(): the best variant that does not know the future, the
// next best, and what knowing the future would be worth. What a sweep has not is left out.
std::string sweep_advice(const sweep::Grid& grid, const std::vector<sweep::Summary>& summaries,
                         const Styler& styled = {});

}  // namespace sim::cli
