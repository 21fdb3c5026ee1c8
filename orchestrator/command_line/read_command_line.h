// Parses spotrun's command line. It is a separate file because CLI11 takes long to compile.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "orchestrator/command_line.h"
#include "orchestrator/failure.h"

namespace spotrun {

// Reads the words after the program's name. Throws std::invalid_argument with the reason if they
// are wrong.
CommandLine read_command_line(std::vector<std::string> words);

// Parses main()'s arguments. If there is no command to run, it has printed the reason or the help,
// and returns the exit status.
std::variant<CommandLine, ExitCode> read_arguments(std::span<const char* const> arguments);

}  // namespace spotrun
