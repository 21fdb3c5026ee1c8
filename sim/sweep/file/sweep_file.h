// A sweep file: the grid that `spotsim sweep` runs, in YAML (docs/sweeps.md lists the keys).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sim/sweep/grid.h"

namespace sim::sweep {

struct SweepFile {
  std::string name;
  std::unique_ptr<Sweep> sweep;
  std::vector<std::string> warnings;  // each with file, line, column and key
};

// Reads a sweep and the traces that it names. Throws ScenarioError with all errors of both.
SweepFile read_sweep(const std::filesystem::path& file);
SweepFile parse_sweep(const std::string& text, const std::filesystem::path& file);

}  // namespace sim::sweep
