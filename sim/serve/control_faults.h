// Faults (docs/faults.md) by the control API.
#pragma once

#include "sim/events/event.h"
#include "sim/serve/control_fields.h"
#include "sim/serve/served_cloud.h"

namespace sim::serve {

// The kinds of faults that can strike a served cloud, with their parameters.
Json fault_kinds(ServedCloud& served);

// The body is an entry of a scenario's `faults`. Without a key that says when, the fault strikes
// now. The answer has the fault as a plan states it, and what it has struck so far.
Json inject_fault(ServedCloud& served, ControlFields& fields);

}  // namespace sim::serve
