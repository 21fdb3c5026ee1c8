// spotsim validate SCENARIO…
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sim::cli {

struct ValidateCommand {
  std::vector<std::filesystem::path> scenarios;
  std::vector<std::string> set;  // KEY=VALUE, in all scenarios
};

// Reads and checks scenarios without running them. Exit status: 0, or 2 when one is bad.
int validate(const ValidateCommand& command);

}  // namespace sim::cli
