// Results as JUnit XML, for CI systems that show it.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/result/result.h"

namespace sim::cli {

// A test suite for each result, a test case for each expectation and for the ledgers. Throws
// std::runtime_error when the file cannot be written.
void write_junit(const std::vector<run::Result>& results, const std::filesystem::path& file);

}  // namespace sim::cli
