// Mounts the attached volume of a job, and releases it.
#pragma once

#include "orchestrator/context.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// Waits for the device node, at most five minutes, makes a filesystem if the device is blank, and
// mounts it. A device with unknown content is never changed: throws Failure(kVolume). Throws
// Failure(kMachine) without a node, and MachineError if mounting fails.
void mount_volume(InstanceContext& context, const Job& job, const std::string& volume_id);

// Unmounts and mounts again, which repairs a read-only or failing filesystem if its volume works. A
// filesystem that is busy for half a minute stays mounted. Throws like mount_volume.
void mount_anew(InstanceContext& context, const Job& job, const std::string& volume_id);

// Syncs, unmounts (for half a minute while the filesystem is busy) and detaches. Errors are logged
// and not thrown, because the machine is about to end. False if it failed.
bool release_volume(InstanceContext& context, const Job& job, const std::string& volume_id,
                    const client::Identity& self);

// The trainer's folder of checkpoints, as a path for Machine.
std::string checkpoint_folder(const Job& job);

// The trainer's environment variables:
// - DATA_DIR and CHECKPOINT_DIR: folders, which are made if missing, or the URI of a job's
//   checkpoints
// - NOTICE_RESERVE
// - EMULATE_STEP_TIME, if the job has a profile of this instance type
std::map<std::string, std::string> job_environment(Machine& machine, const Job& job,
                                                   const std::string& instance_type);

}  // namespace spotrun
