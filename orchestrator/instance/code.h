// The training code, from its git repository.
#pragma once

#include "orchestrator/context.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// The revision's files in <mount point>/code, or the mount point when the job has no code. A clone
// that is there already is brought up to date; a broken one is made anew. Returns the folder as a
// program on this machine sees it. Tries three times; throws Failure(kMachine).
std::string fetch_code(InstanceContext& context, const Job& job);

}  // namespace spotrun
