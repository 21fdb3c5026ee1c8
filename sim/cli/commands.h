// spotsim's commands that bring their own options: each adds itself to the app, and sets the exit
// code when it has run. 2 is bad input everywhere: its message goes to stderr, no file is written.
#pragma once

#include <CLI/CLI.hpp>

namespace sim::cli {

// `spotsim advise`: how to save and what to rent.
void add_advise_command(CLI::App& app, int& exit_code);

// `spotsim ctl`: the control API of a `spotsim serve` from the command line. 1: the service refused
// it (its words on stderr); 2 also where there is no service.
void add_ctl_command(CLI::App& app, int& exit_code);

// `spotsim explore SCENARIO`: fault plans, one after another; 1 where something that must hold was
// broken.
void add_explore_command(CLI::App& app, int& exit_code);

// `spotsim report FOLDER`: a run or a sweep, for people and for programs that draw it.
void add_report_command(CLI::App& app, int& exit_code);

// `spotsim result RUN`: a run's result, from its log alone; 1 where it is not as expected, or with
// --check not what result.json says.
void add_result_command(CLI::App& app, int& exit_code);

// `spotsim serve SCENARIO`: 0 when told to end, 2 also where the port or a file cannot be had.
void add_serve_command(CLI::App& app, int& exit_code);

// `spotsim sweep` and `spotsim merge`, a grid of policies, windows and settings: 1 when runs
// failed.
void add_sweep_commands(CLI::App& app, int& exit_code);

// `spotsim trace inspect|import|stats|synth|windows|plot`: price and availability traces without a
// run.
void add_trace_command(CLI::App& app, int& exit_code);

// `spotsim types`: the instance types that there are, and what they cost on demand; 2 also when
// none matches.
void add_types_command(CLI::App& app, int& exit_code);

}  // namespace sim::cli
