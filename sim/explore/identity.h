// What must be equal for a plan to break the same.
#pragma once

#include <string>

#include "sim/explore/runner.h"
#include "sim/scenario/overrides.h"

namespace sim::explore {

// A print of this program, with process guests of the programs in guests too, of the scenario with
// the files that it is based on and those that it names, of the other values and the seed.
std::string identity(const Runner& runner, const run::Overrides& overrides);

}  // namespace sim::explore
