// What a search found as JUnit XML, which CI systems show.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/explore/search.h"

namespace sim::cli {

// One suite with a case for each kind of fault that was tried, and a failed case for each failure.
// `scenarios` replay the failures, in their order. Throws std::runtime_error if the file cannot be
// written.
void write_explore_junit(const explore::Findings& findings, const std::string& name,
                         const std::vector<std::filesystem::path>& scenarios,
                         const std::filesystem::path& file);

}  // namespace sim::cli
