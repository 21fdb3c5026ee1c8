// A host program run to its end.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sim::guest {

// Runs a program found on PATH with these variables added to the environment, and returns its
// standard output. Throws std::runtime_error with what it wrote to standard error when it does not
// exit with 0.
std::string run_command(const std::vector<std::string>& words,
                        const std::map<std::string, std::string>& environment);

}  // namespace sim::guest
