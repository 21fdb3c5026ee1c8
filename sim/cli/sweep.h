// spotsim sweep and spotsim merge: a grid of policies, windows and settings.
#pragma once

#include <CLI/CLI.hpp>

namespace sim::cli {

// Adds the subcommands; exit_code becomes 0, 1 when runs failed, or 2 for bad
// input.
void add_sweep_commands(CLI::App& app, int& exit_code);

}  // namespace sim::cli
