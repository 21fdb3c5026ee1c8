// The trainer's life on one instance.
#pragma once

#include "orchestrator/context.h"
#include "orchestrator/job/job.h"
#include "orchestrator/job/training_progress.h"

namespace spotrun {

struct TrainingEnd {
  enum class Kind { kFinished, kStopped, kFailed } kind;
  std::string why;  // for people: "exit status 1", "interruption notice: terminate at …"
};

// The part of a notice's time that is kept for unmounting and detaching. The trainer gets it as
// NOTICE_RESERVE.
inline constexpr Duration kReleaseTime{20'000};

// The exit status of a trainer that stopped on request and has saved. It continues when it is
// started again.
inline constexpr int kTrainerStopped = 75;

// Restarts in a row after failures without a new checkpoint, each of a run that was shorter.
inline constexpr int kFruitlessRestarts = 10;
inline constexpr Duration kLongRun{600'000};

// Starts the command in `folder`, looks for notices (of a spot instance) every Job::notice_poll and
// for the trainer's exit all the time, restarts it after a failure as often as the job allows, and
// three times at most when it hung (watchdog.h). After failures in a row without a new checkpoint
// between them it waits longer each time, mounts the volume anew, which rids it of a filesystem
// that has become read-only or fails, and gives up after kFruitlessRestarts. On a
// notice or a request to stop sends SIGTERM to the trainer's process group and waits for its exit:
// until kReleaseTime before the notice's time, or 60 s; then SIGKILL. Nothing of the group is left
// when it returns. Notes each start, and each end that has saved: of a run that failed nothing
// counts.
// `volume_id`: of the mounted volume; empty: the job has none, and nobody sees its checkpoints.
TrainingEnd train(InstanceContext& context, const Job& job, const std::string& volume_id,
                  const std::string& folder, const std::map<std::string, std::string>& environment,
                  ProgressNotes& progress, bool spot);

}  // namespace spotrun
