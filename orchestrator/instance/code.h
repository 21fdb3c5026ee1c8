// Fetches the training code from its git repository.
#pragma once

#include "orchestrator/context.h"
#include "orchestrator/job/job.h"

namespace spotrun {

inline constexpr Duration kOldCodePatience{600'000};
inline constexpr Duration kCodePatience{7'200'000};

// Fetches the revision's files into <mount point>/code; a job without code uses the mount point. An
// existing clone is updated, and a broken one is replaced. Returns the folder as a path for
// programs on this machine.
//
// While the repository is unreachable, it retries after 10 s, 20 s, 40 s and then every minute.
// After kOldCodePatience it uses a clone of an earlier instance as it is. Without one, it throws
// Failure(kMachine) after kCodePatience. A reachable repository without the revision is tried three
// times.
std::string fetch_code(InstanceContext& context, const Job& job);

}  // namespace spotrun
