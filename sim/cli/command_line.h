// spotsim's command line; each command is in the file of its name.
#pragma once

#include <span>
#include <string>

namespace sim::cli {

// Takes main()'s arguments and the text of --version. Returns the exit status.
int run_command_line(std::span<const char* const> arguments, const std::string& version);

}  // namespace sim::cli
