// Runs and restarts the trainer on one instance.
#pragma once

#include "orchestrator/context.h"
#include "orchestrator/job/job.h"
#include "orchestrator/job/training_progress.h"

namespace spotrun {

struct TrainingEnd {
  enum class Kind { kFinished, kStopped, kFailed } kind;
  std::string why;  // for people: "exit status 1", "interruption notice: terminate at …"
};

// The part of a notice's time that is reserved for unmounting and detaching. The trainer gets it as
// NOTICE_RESERVE.
inline constexpr Duration kReleaseTime{20'000};

// The exit status of a trainer that stopped on request and has saved. It continues when it is
// started again.
inline constexpr int kTrainerStopped = 75;

// The number of restarts in a row after short runs that failed without a new checkpoint.
inline constexpr int kFruitlessRestarts = 10;
inline constexpr Duration kLongRun{600'000};

// Runs the command in `folder` until no restart is possible or needed.
//
// It polls for notices (of a spot instance) every Job::notice_poll, and waits for the trainer's
// exit. After a failure it restarts the trainer as often as the job permits, and at most three
// times after hangs (watchdog.h). After consecutive failures without a new checkpoint it waits
// longer each time. It then also mounts the volume again, which repairs a read-only or failing
// filesystem, and gives up after kFruitlessRestarts.
//
// On a notice or a request to stop, it sends SIGTERM to the trainer's process group. It waits for
// the exit until kReleaseTime before the notice's time, or 60 s, and then sends SIGKILL. No process
// of the group remains when it returns.
//
// It records each start, and each end with a save; failed runs are not recorded. `volume_id` is
// that of the mounted volume. If it is empty, the job has no volume, and its checkpoints cannot be
// observed.
TrainingEnd train(InstanceContext& context, const Job& job, const std::string& volume_id,
                  const std::string& folder, const std::map<std::string, std::string>& environment,
                  ProgressNotes& progress, bool spot);

}  // namespace spotrun
