// The programs of this machine that a scenario and its job files need, and that are missing. The
// user learns of them before the run fails.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/scenario/scenario.h"

namespace sim::run {

// A sentence for each program that this machine lacks: the mkfs of a job's volume, and git for
// `code`. `folders` is where guests find the machine's programs. A command that a script calls and
// nobody has is reported when it is called (the event guest.command-error).
std::vector<std::string> missing_programs(const Scenario& scenario,
                                          const std::vector<std::filesystem::path>& folders = {
                                              "/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
                                              "/usr/bin", "/sbin", "/bin"});

}  // namespace sim::run
