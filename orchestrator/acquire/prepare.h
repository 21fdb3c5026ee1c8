// Making the job's volume, once: the operator's side (instance/instance.h has the other).
#pragma once

#include "orchestrator/context.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// Makes sure that the job's zone has one volume with the job's tag, has an on-demand
// instance prepare it, and waits until that instance is terminated and the volume is available.
// Nothing to do for a volume that is prepared; goes on with an instance that is at it. Throws
// Failure, ApiError.
void prepare(const Context& context, const Job& job);

}  // namespace spotrun
