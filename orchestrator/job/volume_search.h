// Finds the job's volume and decides whether it can be used.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orchestrator/aws/ec2.h"
#include "orchestrator/context.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// All volumes with the job's tag that are not being deleted.
std::vector<aws::Volume> tagged_volumes(aws::Ec2& ec2, const Job& job);

// The one tagged volume that is neither replaced by a hop nor a copy of another one. Empty if there
// is none, or several.
std::optional<aws::Volume> current_volume(aws::Ec2& ec2, const Job& job);

// The time of the last attachment, as the volume's tag states it. Empty if no instance has attached
// the volume.
std::optional<Time> last_attached(const aws::Volume& volume);

// The backup of a failed volume: the hop's snapshot with the volume's complete content, else the
// newest complete one, else the newest pending one. It considers snapshots with the job's tag, and
// hop snapshots of this volume or of the volume that it replaced.
std::optional<aws::Snapshot> newest_backup(aws::Ec2& ec2, const Job& job, const aws::Volume& lost);

// The job's volume: current_volume(). Waits two minutes for one to appear, and without limit while
// one is being created. Throws Failure(kVolume) if there is none, if several are possible, or if it
// is in state error without a backup (newest_backup).
aws::Volume find_job_volume(const Context& context, const Job& job);

// Waits until the volume is available, or attached to `instance_id`, and returns its state then.
// The wait has no limit while its present instance is ending (shutting down, or its spot request is
// marked for interruption). Otherwise it throws Failure(kVolumeHeld) after ten minutes. Throws
// TryAgain if the volume disappears or ends in state error.
aws::Volume wait_until_free(const Context& context, const std::string& volume_id,
                            const std::string& instance_id);

// Waits until the volume is available. Throws TryAgain if it disappears or ends in state error.
aws::Volume wait_available(const Context& context, const std::string& volume_id);

// Whether EC2 is interrupting a spot instance. Its request is marked from the notice on.
bool is_marked(const Context& context, const std::string& spot_request_id);

bool attached_to(const aws::Volume& volume, const std::string& instance_id);

}  // namespace spotrun
