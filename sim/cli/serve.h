// spotsim serve SCENARIO
#pragma once

#include <CLI/CLI.hpp>

namespace sim::cli {

// Exit status: 0 told to end, 2 bad input, or the port or a file cannot be had.
void add_serve_command(CLI::App& app, int& exit_code);

}  // namespace sim::cli
