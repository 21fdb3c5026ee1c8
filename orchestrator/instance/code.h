// The training code, from its git repository.
#pragma once

#include "orchestrator/context.h"
#include "orchestrator/job/job.h"

namespace spotrun {

inline constexpr Duration kOldCodePatience{600'000};
inline constexpr Duration kCodePatience{7'200'000};

// The revision's files in <mount point>/code, or the mount point when the job has no code. A clone
// that is there already is brought up to date; a broken one is made anew. Returns the folder as a
// program on this machine sees it.
//
// While the repository cannot be reached, tries again after 10 s, 20 s, 40 s and then every minute.
// A clone that an earlier instance has left is used as it is after kOldCodePatience. Without one,
// throws Failure(kMachine) after kCodePatience. A repository that can be reached but does not give
// the revision is tried three times.
std::string fetch_code(InstanceContext& context, const Job& job);

}  // namespace spotrun
