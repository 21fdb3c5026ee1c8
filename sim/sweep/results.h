// Writes a finished sweep's files: results.db (SQLite), runs.csv and summary.csv. Equal rows give
// equal bytes, independently of how they were computed.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/sweep/grid.h"
#include "sim/sweep/statistics.h"

namespace sim::sweep {

// Writes all three files into the folder, each completely or not at all. `rows` are all rows of the
// grid, in order. Throws StoreError.
void write_results(const Grid& grid, const Rows& rows, const std::vector<Summary>& summaries,
                   const std::filesystem::path& folder);

}  // namespace sim::sweep
