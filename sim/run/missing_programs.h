// Finds programs that a scenario and its job files need and that this machine lacks, so that the
// user sees the reason before the run fails.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/scenario/scenario.h"

namespace sim::run {

// Returns a sentence for each missing program: the mkfs of a job's volume, and git for `code`.
// `folders` are the folders in which guests find programs. Commands that scripts call are not
// checked here; the event guest.command-error reports them.
std::vector<std::string> missing_programs(const scenario::Scenario& scenario,
                                          const std::vector<std::filesystem::path>& folders = {
                                              "/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
                                              "/usr/bin", "/sbin", "/bin"});

}  // namespace sim::run
