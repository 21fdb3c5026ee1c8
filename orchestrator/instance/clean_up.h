// Ends the rental when a job is over.
#pragma once

#include <string>

#include "orchestrator/context.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// Cancels the spot fleet request of this instance, including all instances of the fleet. A spot
// instance without an active fleet cancels its own spot request first, because EC2 would replace it
// otherwise, and terminates. An on-demand instance terminates itself. Temporary errors are retried,
// ten attempts at most.
void give_back(InstanceContext& context, const client::Identity& self);

// Whether this instance is a spot instance.
bool is_spot(InstanceContext& context, const client::Identity& self);

}  // namespace spotrun
