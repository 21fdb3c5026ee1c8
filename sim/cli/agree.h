// spotsim agree SWEEP…
#pragma once

#include <CLI/CLI.hpp>

namespace sim::cli {

// Adds the command to the app; when it has run, exit_code is 0, 1 where something that should agree
// does not, or 2 for bad input.
void add_agree_command(CLI::App& app, int& exit_code);

}  // namespace sim::cli
