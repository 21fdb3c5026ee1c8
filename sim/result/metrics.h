// Every number of a result, from the event log and from nothing else.
#pragma once

#include "sim/result/result.h"
#include "sim/result/story.h"

namespace sim::run {

// All of a result but its plan, expectations and invariants. docs/result.md defines each figure.
Result compute(const Story& story);

}  // namespace sim::run
