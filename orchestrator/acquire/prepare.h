// Making the job's volume, once: the operator's side and the instance's side.
#pragma once

#include "orchestrator/context.h"
#include "orchestrator/failure.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// Operator: makes sure that the job's zone has one volume with the job's tag, has an on-demand
// instance prepare it, and waits until that instance is terminated and the volume is available.
// Nothing to do for a volume that is prepared; goes on with an instance that is at it. Throws
// Failure, ApiError.
void prepare(const Context& context, const Job& job);

// Instance: attaches and mounts the volume, runs the job's prepare.command, leaves a marker file,
// unmounts, detaches, tags the volume with the outcome, and terminates the instance, whatever came.
ExitCode prepare_on_instance(InstanceContext& context, const Job& job, const Identity& self);

}  // namespace spotrun
