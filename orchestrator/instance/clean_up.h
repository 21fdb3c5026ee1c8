// The end of a job: what was rented is given back.
#pragma once

#include <string>

#include "orchestrator/context.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// Cancels the spot fleet request that launched this instance, its instances included; a spot
// instance without a fleet, or of one that is cancelled already, cancels its own request first, as
// EC2 would replace it otherwise, and terminates; an on-demand instance terminates itself. Tries
// again while errors are transient, ten times at most.
void give_back(InstanceContext& context, const client::Identity& self);

// Whether this instance is a spot instance.
bool is_spot(InstanceContext& context, const client::Identity& self);

}  // namespace spotrun
