// spotrun's command line, read. Apart from what runs the commands: CLI11 takes long to compile.
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

// main()'s arguments. Where there is nothing to run it has printed why, or the help that was asked
// for, and returns the exit status.
std::variant<CommandLine, ExitCode> read_arguments(std::span<const char* const> arguments);

}  // namespace spotrun
