// A sweep file: the grid that `spotsim sweep` runs, in YAML (docs/sweeps.md lists the keys).
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "sim/sweep/grid.h"

namespace sim::run {

struct SweepFile {
  std::string name;
  std::unique_ptr<sweep::Sweep> sweep;
};

// Reads a sweep and the traces that it names. Throws ScenarioError with all that is wrong with it,
// and market::TraceError for a trace that cannot be read.
SweepFile read_sweep(const std::filesystem::path& file);
SweepFile parse_sweep(const std::string& text, const std::filesystem::path& file);

}  // namespace sim::run
