// Makes and fills the job's volume, once. This is the operator's part. The instance's part is in
// instance/instance.h.
#pragma once

#include "orchestrator/context.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// Ensures that the job's zone has one volume with the job's tag, lets an on-demand instance prepare
// it, and waits until that instance is terminated and the volume is available. Does nothing for a
// prepared volume, and continues with an instance that is preparing it. Throws Failure, ApiError.
void prepare(const Context& context, const Job& job);

}  // namespace spotrun
