// The order in which faults are tried by whoever has not the time for all.
#pragma once

#include <vector>

#include "sim/explore/trials.h"

namespace sim::explore {

// The most telling first: in turn one of each kind and its arguments, those kinds first that bring
// out most bugs. Of a kind first what strikes after something else than those before, one place
// after another, and what can strike at the same places begins at different ones.
std::vector<TriedFault> in_search_order(std::vector<TriedFault> faults);

}  // namespace sim::explore
