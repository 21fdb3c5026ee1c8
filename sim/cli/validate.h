// spotsim validate SCENARIO…
#pragma once

#include <filesystem>
#include <vector>

namespace sim::cli {

// Reads and checks scenarios without running them. Exit status: 0, or 2 when one is bad.
int validate(const std::vector<std::filesystem::path>& scenarios);

}  // namespace sim::cli
