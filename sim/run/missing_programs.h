// What process guests take from this machine: it can be found missing before a run fails for it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/scenario/scenario.h"

namespace sim::run {

// Programs that the scenario's process guests will call and this machine has not, a sentence each.
// `folders` is where guests find the machine's programs.
std::vector<std::string> missing_programs(const Scenario& scenario,
                                          const std::vector<std::filesystem::path>& folders = {
                                              "/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
                                              "/usr/bin", "/sbin", "/bin"});

}  // namespace sim::run
