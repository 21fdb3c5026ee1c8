// A finished sweep's files: results.db (SQLite), runs.csv and summary.csv. Equal rows give equal
// bytes, whatever computed them in which order.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/sweep/grid.h"
#include "sim/sweep/statistics.h"

namespace sim::sweep {

// Writes all three into the folder, each whole or not at all. `rows` are all rows of the grid, in
// order. Throws StoreError.
void write_results(const Grid& grid, const std::vector<Row>& rows,
                   const std::vector<Summary>& summaries, const std::filesystem::path& folder);

// summary.csv's text, and that of runs.csv.
std::string summary_csv(const Grid& grid, const std::vector<Summary>& summaries);
std::string runs_csv(const Grid& grid, const std::vector<Row>& rows);

// "work=48h deadline=60h changeover=12m on_demand=3.0600 spot=0.9731": a setting for people.
std::string describe(const TickJob& job);

}  // namespace sim::sweep
