// The findings of a search as a test suite of JUnit.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/junit.h"
#include "sim/explore/search.h"

namespace sim::cli {

// A case for each kind of fault that was tried, and a failed case for each failure, with the lines
// of the scenario's scripts and what a correct script does. `scenarios` replay the failures, in
// their order.
JunitSuite junit_of(const explore::Findings& findings, const scenario::Scenario& scenario,
                    const std::vector<std::filesystem::path>& scenarios);

}  // namespace sim::cli
