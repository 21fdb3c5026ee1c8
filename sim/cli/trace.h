// spotsim trace inspect|import|stats|synth|windows|plot: price and availability traces without
// a run.
#pragma once

#include <CLI/CLI.hpp>

namespace sim::cli {

// Adds the subcommand `trace` with its own; exit_code becomes 0, or 2 for bad input. A bad input's
// message goes to stderr, and no file is written.
void add_trace_command(CLI::App& app, int& exit_code);

}  // namespace sim::cli
