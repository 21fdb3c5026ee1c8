// Faults (docs/faults.md) that the control API injects.
#pragma once

#include "sim/events/event.h"
#include "sim/serve/control_fields.h"
#include "sim/serve/served_cloud.h"

namespace sim::serve {

// The injected faults with their IDs and states, and the kinds of faults that can strike a served
// cloud, with their parameters.
Json list_faults(ServedCloud& served);

// Injects a fault. The body is an entry of a scenario's `faults`. Without a time, the fault strikes
// now. The answer has the fault in the form of a plan, and what it has struck so far.
Json inject_fault(ServedCloud& served, ControlFields& fields);

// Removes the injected fault with the ID `id`, or all if it is "all". A fault that waits no longer
// strikes, and one that lasts ends now.
Json remove_fault(ServedCloud& served, ControlFields& fields);

}  // namespace sim::serve
