// The order in which faults are tried if the budget does not suffice for all.
#pragma once

#include <vector>

#include "sim/explore/trials.h"

namespace sim::explore {

// Puts the faults first that find most bugs. The first faults strike what scripts of users most
// often do wrong: how they save, resume and watch (docs/notes/explore-findings.md). Then kinds take
// turns, and kinds that found most bugs in tests come first. Within a kind, each fault strikes
// after something that earlier faults did not. Kinds with the same places begin at different ones.
std::vector<TriedFault> in_search_order(std::vector<TriedFault> faults);

}  // namespace sim::explore
