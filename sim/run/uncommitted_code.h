// Warns about files of the scenario's `code` that instances will not see, because they clone only
// commits.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/scenario.h"

namespace sim::run {

// A sentence for each folder of `code` that is a git repository with uncommitted files. No sentence
// for a repository whose state git cannot report.
std::vector<std::string> uncommitted_code(const scenario::Scenario& scenario);

}  // namespace sim::run
