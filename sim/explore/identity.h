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

// The identity of a search: this program (with process guests also the programs in guests), the
// scenario with the files that it is based on and that it names, the other values and the seed.
// Files are named relative to the scenario's folder, so the path of that folder does not count.
Identity identity(const Runner& runner, const run::Overrides& overrides);

// The names of what is not equal, or in one of them alone.
std::vector<std::string> differing(const Identity& a, const Identity& b);

}  // namespace sim::explore
