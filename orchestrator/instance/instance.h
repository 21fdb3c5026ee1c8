// The commands that user data starts on an instance: run the job, or prepare its volume.
#pragma once

#include "orchestrator/context.h"
#include "orchestrator/failure.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// Runs the job on this instance from start to end: volume, code, trainer, clean-up. Errors are
// logged; the code states the result.
ExitCode run_instance(InstanceContext& context, const Job& job, const client::Identity& self);

// Prepares the job's volume. Attaches and mounts it, runs the job's prepare.command, writes a
// marker file, unmounts, detaches and tags the volume with the outcome. It then terminates the
// instance, also after an error.
ExitCode prepare_on_instance(InstanceContext& context, const Job& job,
                             const client::Identity& self);

}  // namespace spotrun
