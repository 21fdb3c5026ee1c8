// `spotsim types`: the instance types that there are, and what they cost on demand.
#pragma once

#include <CLI/CLI.hpp>

namespace sim::cli {

// Adds the command to the app; when it has run, exit_code is 0, or 2 for bad input or when no type
// matches.
void add_types_command(CLI::App& app, int& exit_code);

}  // namespace sim::cli
