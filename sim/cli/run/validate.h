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
  std::vector<std::string> set;              // KEY=VALUE, in all scenarios
  std::optional<scenario::GuestKind> guest;  // instead of the scenarios' own
  std::optional<guest::Level> level;         // the same
};

// Checks scenarios like a run before its clock starts. A missing right or program of this machine
// is a warning. Exit status: 0, or 2 if one is invalid.
int validate(const ValidateCommand& command);

}  // namespace sim::cli
