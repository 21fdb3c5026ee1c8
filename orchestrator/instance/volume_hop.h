// Bringing the job's volume to this instance, from another zone if need be.
#pragma once

#include "orchestrator/context.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// The job's volume, attached to this instance, the only one with the job's tag, with no leftovers
// of hops. Where EC2 refuses to delete a leftover, the volume keeps the tag spotrun:hop-of. May be
// interrupted at any point: the next call, on any instance in any zone, goes on from there
// (docs/spotrun.md has the table of steps). Throws Failure, TryAgain, ApiError.
aws::Volume bring_volume(const Context& context, const Job& job, const client::Identity& self);

// Attaches an available volume and waits until it is attached; marks it beforehand, so that no
// snapshot taken before is taken for its content. Nothing to do when it is attached already.
void attach_volume(const Context& context, const aws::Volume& volume, const Job& job,
                   const client::Identity& self);

// The job ends here: deletes what hops have left over, as far as EC2 lets it. Leaves everything
// alone while the job's volume is in state error, as its state may be in a leftover. Throws
// Failure, TryAgain, ApiError.
void finish_hops(const Context& context, const Job& job, const client::Identity& self);

}  // namespace spotrun
