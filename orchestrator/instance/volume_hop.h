// Brings the job's volume to this instance, from another zone if necessary.
#pragma once

#include "orchestrator/context.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// Brings the job's volume to this instance. Afterwards it is attached, it is the only volume with
// the job's tag, and there are no leftovers of hops. If EC2 refuses to delete a leftover, the
// volume keeps the tag spotrun:hop-of. The function may be interrupted at any point: the next call,
// on any instance in any zone, continues from there (docs/spotrun.md has the table of steps).
// Throws Failure, TryAgain, ApiError.
aws::Volume bring_volume(const Context& context, const Job& job, const client::Identity& self);

// Attaches an available volume and waits until it is attached. Marks the volume first: earlier
// snapshots then no longer count as the present content. Does nothing if the volume is already
// attached.
void attach_volume(const Context& context, const aws::Volume& volume, const Job& job,
                   const client::Identity& self);

// Deletes the leftovers of hops when the job ends, as far as EC2 permits it. It does nothing while
// the job's volume is in state error, because its data may be in a leftover. Throws Failure,
// TryAgain, ApiError.
void finish_hops(const Context& context, const Job& job, const client::Identity& self);

}  // namespace spotrun
