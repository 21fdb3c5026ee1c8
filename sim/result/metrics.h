// Every number of a result, from the event log and from nothing else.
#pragma once

#include "sim/result/history.h"
#include "sim/result/result.h"

namespace sim::run {

// All of a result but its plan, expectations and invariants. docs/result.md defines each figure.
Result compute(const History& history);

}  // namespace sim::run
