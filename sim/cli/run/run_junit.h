// The expectations and invariants of a run as a suite of JUnit.
#pragma once

#include "sim/cli/junit.h"
#include "sim/result/result.h"

namespace sim::cli {

// A case for each expectation and each invariant. A failed case has the lines of the log that show
// the breach.
JunitSuite junit_of(const result::Result& result);

}  // namespace sim::cli
