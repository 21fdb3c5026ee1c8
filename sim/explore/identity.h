// What must be equal for a plan to break the same.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/explore/runner.h"
#include "sim/scenario/overrides.h"

namespace sim::explore {

// Name → value, or a print of what is in it: "seed", "program spotsim", "trace.csv".
using Identity = std::map<std::string, std::string>;

// Of this program, with process guests of the programs in guests too, of the scenario with the
// files that it is based on and those that it names, of the other values and the seed. Files are
// named from the scenario's folder, so that it does not count by which path that was given.
Identity identity(const Runner& runner, const run::Overrides& overrides);

// The names of what is not equal, or in one of them alone.
std::vector<std::string> differing(const Identity& a, const Identity& b);

}  // namespace sim::explore
