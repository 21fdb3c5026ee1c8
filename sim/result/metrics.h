// Computes every number of a result from the history, which the event log determines.
#pragma once

#include "sim/result/history.h"
#include "sim/result/result.h"

namespace sim::result {

// The result without plan, expectations and invariants. docs/result.md defines each figure.
Result compute(const History& history);

}  // namespace sim::result
