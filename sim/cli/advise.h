// `spotsim advise`: how to save and what to rent.
#pragma once

#include <CLI/CLI.hpp>

namespace sim::cli {

void add_advise_command(CLI::App& app, int& exit_code);

}  // namespace sim::cli
