// What user data starts on each instance of the job: volume, code, trainer, clean-up.
#pragma once

#include "orchestrator/context.h"
#include "orchestrator/failure.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// The whole life of the job on this instance. Errors are said; the code says how it ended.
ExitCode run_instance(InstanceContext& context, const Job& job, const Identity& self);

}  // namespace spotrun
