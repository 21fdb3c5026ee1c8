// spotsim's commands that define their own options. Each adds itself to the app, and sets the exit
// code when it has run. Exit code 2 means bad input in all commands: a message goes to stderr, and
// no file is written.
#pragma once

#include <CLI/CLI.hpp>

namespace sim::cli {

// `spotsim advise`: recommends a checkpoint policy and what to rent.
void add_advise_command(CLI::App& app, int& exit_code);

// `spotsim ctl`: the control API of a `spotsim serve`. 1: the service refused the request (its
// message is on stderr); 2 also if there is no service.
void add_ctl_command(CLI::App& app, int& exit_code);

// `spotsim explore SCENARIO`: runs fault plans. 1: an invariant or expectation was broken.
void add_explore_command(CLI::App& app, int& exit_code);

// `spotsim init`: writes a scenario from a user's own files.
void add_init_command(CLI::App& app, int& exit_code);
// `spotsim import aws FILE…`: a scenario that replays exported records of an account.
void add_import_command(CLI::App& app, int& exit_code);

// `spotsim report FOLDER`: a run or a sweep, for people and for programs that draw it.
void add_report_command(CLI::App& app, int& exit_code);

// `spotsim result RUN`: a run's result, computed from its log. 1: it is not as expected or, with
// --check, differs from result.json.
void add_result_command(CLI::App& app, int& exit_code);

// `spotsim schema NAME`: the JSON Schemas of docs/, completed from the readers' tables.
void add_schema_command(CLI::App& app);

// `spotsim serve SCENARIO`: 0 after a signal to end, 2 also if the port or a file cannot be used.
void add_serve_command(CLI::App& app, int& exit_code);

// `spotsim sweep` and `spotsim merge`, a grid of policies, windows and settings: 1 when runs
// failed.
void add_sweep_commands(CLI::App& app, int& exit_code);

// `spotsim trace inspect|import|stats|synth|windows|plot`: price and availability traces without a
// run.
void add_trace_command(CLI::App& app, int& exit_code);

// `spotsim types`: lists instance types and their on-demand prices. 2 also if none matches.
void add_types_command(CLI::App& app, int& exit_code);

}  // namespace sim::cli
