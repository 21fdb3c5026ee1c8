// What user data starts on an instance: the job, or the preparation of its volume.
#pragma once

#include "orchestrator/context.h"
#include "orchestrator/failure.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// Runs the job on this instance from start to end: volume, code, trainer, clean-up. Errors are
// logged; the code states the result.
ExitCode run_instance(InstanceContext& context, const Job& job, const client::Identity& self);

// Preparing it: attaches and mounts the volume, runs the job's prepare.command, leaves a marker
// file, unmounts, detaches, tags the volume with the outcome, and terminates the instance, whatever
// came.
ExitCode prepare_on_instance(InstanceContext& context, const Job& job,
                             const client::Identity& self);

}  // namespace spotrun
