// spotsim ctl: the control API of a `spotsim serve` from the command line.
#pragma once

#include <CLI/CLI.hpp>

namespace sim::cli {

// Exit status: 0 done, 1 the service refused it (its words on stderr), 2 bad input or no service.
void add_ctl_command(CLI::App& app, int& exit_code);

}  // namespace sim::cli
