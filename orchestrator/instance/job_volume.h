// The attached volume as a mounted filesystem, and the way back.
#pragma once

#include "orchestrator/context.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// Waits for the device node (five minutes at most), makes a filesystem if the device is blank, and
// mounts it. A device with content that is no known filesystem is never touched: throws
// Failure(kVolume). Throws Failure(kMachine) when there is no node, MachineError when mounting
// fails.
void mount_volume(InstanceContext& context, const Job& job, const std::string& volume_id);

// Unmounts and mounts again: this repairs a filesystem that is read-only or fails, if its volume
// still works. A filesystem that is busy for half a minute stays mounted. Throws as mount_volume.
void mount_anew(InstanceContext& context, const Job& job, const std::string& volume_id);

// Writes back, unmounts (half a minute of tries while something is busy) and detaches. What fails
// is said and does not throw: this runs when the machine is about to go. False when it did not come
// off.
bool release_volume(InstanceContext& context, const Job& job, const std::string& volume_id,
                    const client::Identity& self);

// Where the trainer keeps its checkpoints, as Machine takes paths.
std::string checkpoint_folder(const Job& job);

// DATA_DIR and CHECKPOINT_DIR, made if they are missing, or the URI of a job's checkpoints;
// NOTICE_RESERVE; and EMULATE_STEP_TIME where the job has a profile of this instance type.
std::map<std::string, std::string> job_environment(Machine& machine, const Job& job,
                                                   const std::string& instance_type);

}  // namespace spotrun
