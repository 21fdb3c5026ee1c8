// spotsim validate SCENARIO…
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/run.h"

namespace sim::cli {

struct ValidateCommand {
  std::vector<std::filesystem::path> scenarios;
  std::vector<std::string> set;         // KEY=VALUE, in all scenarios
  std::optional<run::GuestKind> guest;  // instead of the scenarios' own
  std::optional<guest::Level> level;    // the same
};

// Does with scenarios what a run does before its clock starts. What this machine does not permit,
// or has not, is a warning. Exit status: 0, or 2 when one is bad.
int validate(const ValidateCommand& command);

}  // namespace sim::cli
