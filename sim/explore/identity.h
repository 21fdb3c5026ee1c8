// The identity of a search: everything that must be equal for a plan to have the same result.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/explore/runner.h"
#include "sim/scenario/overrides.h"

namespace sim::explore {

// Values or hashes of content by name: "seed", "program spotsim", "trace.csv".
using Identity = std::map<std::string, std::string>;

// The identity of a search. It covers this program, the scenario with base files and named files,
// the other values and the seed. With process guests it also covers the programs in guests. File
// names are relative to the scenario's folder, so that folder's path does not count.
Identity identity(const Runner& runner, const scenario::Overrides& overrides);

// The names with different values, and names that only one identity has.
std::vector<std::string> differing(const Identity& a, const Identity& b);

}  // namespace sim::explore
