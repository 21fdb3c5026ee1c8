// spotrun's command line.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace spotrun {

struct CommandLine {
  std::string command;           // "prepare", "submit", "wait", "status", "instance" …
  std::string job;               // path of the job file
  std::string fleet, on_demand;  // of submit: one of them is set
};

// Adds the commands to `app`; parsing sets `line`, which must outlive it.
void add_commands(CLI::App& app, CommandLine& line);

}  // namespace spotrun
