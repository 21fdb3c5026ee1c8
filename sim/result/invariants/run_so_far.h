// Facts about a run that several invariants share, beyond its history: which trainers run, which
// checkpoint is acknowledged, and which volumes have the job's tag. It processes each event before
// the invariants do.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/events/events.h"
#include "sim/events/listeners.h"
#include "sim/result/history.h"

namespace sim::result {

class RunSoFar {
 public:
  struct Claimed {
    std::int64_t step = 0;
    std::string line;
    bool on_a_known_disk = false;
  };
  struct Lost {
    Time at;
    std::int64_t step = 0;             // of the checkpoint
    std::optional<std::int64_t> left;  // the newest that remains
    std::string holder;                // its last holder
    std::vector<std::string> lines;
  };

  // The history must be up to date with an event before this class gets the event.
  explicit RunSoFar(const History& history) : history_(history) {}

  // Adds the listeners of this class. Call it before the listeners of the invariants are added, and
  // keep the object as long as the log.
  void listen(events::Listeners& log);

  const History& history() const { return history_; }

  // ---- the scenario's statements
  const std::string& job_tag() const { return history_.header.job_volume_tag; }
  bool needs_evidence() const { return history_.header.needs_evidence(); }

  // ---- running trainers: from trainer.start until the trainer stops, has finished or crashed, or
  // its machine ends. By instance, the line of the start.
  const std::map<std::string, std::string>& training() const { return training_; }
  // True if a trainer has begun, or if the scenario has a rule that reads trainers.
  bool reports_progress() const {
    return !total_.empty() || !history_.header.progress.empty() || history_.header.guest == "fiber";
  }
  // True if the job reports its reaction to a notice: its trainer reports the beginning of a save,
  // or spotrun runs the trainer.
  bool tells_of_notices() const { return tells_of_notices_; }
  // True if a trainer has finished all its steps.
  bool finished() const { return finished_; }

  // ---- saved state
  // The newest acknowledged checkpoint, for which the job is responsible. A checkpoint is
  // acknowledged
  //  - when the trainer reports checkpoint-durable, or checkpoint-written and the data is on disk;
  //  - in a training job's container: when it is copied to the bucket, because the disk ends with
  //    the instance;
  //  - in a job that states where it copies its checkpoints: when it is copied there.
  // If hardware fails, checkpoints that existed only on it are lost. The job is not blamed, and the
  // newest checkpoint that also exists elsewhere becomes the acknowledged one. Hardware has failed
  // when a usable volume becomes "error" (a pending snapshot of it is no copy), or when a fault of
  // the plan damages a disk (fault.damage). After damage only a trainer that keeps checkpoints in
  // snapshots has others. A snapshot that fails, and a volume that fails while it is created, were
  // never copies: a job that deleted the original before has lost the checkpoint.
  const std::optional<Claimed>& acknowledged() const { return acknowledged_; }
  // The first moment at which the acknowledged checkpoint existed nowhere.
  const std::optional<Lost>& lost() const { return lost_; }

  // ---- volumes that are creating, available or in-use and have the job's tag, each with the line
  // that tagged it
  std::map<std::string, std::string> tagged() const;
  // True if a fault made the resource (fault.made) and the job has not adopted it by tagging it.
  bool is_a_faults(std::string_view resource) const {
    return history_.made_by_faults.contains(resource) && !adopted_.contains(resource);
  }
  // True if any volume has ever had the tag.
  bool ever_tagged() const { return ever_tagged_; }
  // True if a volume with the tag failed. The job needs no such volume until training begins again.
  bool tagged_broke() const { return tagged_broke_; }
  // True if hardware took the job's last copy. When the volume failed, no volume with the tag had a
  // snapshot that was complete or completed later.
  bool nothing_to_go_on_with() const { return nothing_to_go_on_with_; }

 private:
  void trainer_starts(const events::TrainerStart& event);
  void trainer_finished(const events::TrainerFinished& event);
  void checkpoint_durable(const events::TrainerCheckpointDurable& event);
  void checkpoint_written(const events::TrainerCheckpointWritten& event);
  void synced(const events::SagemakerSynced& event);
  void copied(const events::CheckpointCopied& event);
  void object_removed(const events::ObjectRemoved& event);
  void instance_state(const events::InstanceState& event);
  void volume_state(const events::VolumeState& event);
  void snapshot_state(const events::SnapshotState& event);
  void tags_created(const events::TagsCreated& event);
  void fault_damage(const events::FaultDamage& event);

  void follow_volume(const events::VolumeState& event);
  void follow_snapshot(const events::SnapshotState& event);
  bool has_tag(std::string_view volume) const;
  void adopt_twin();
  void acknowledge(std::int64_t step, std::string line);
  void acknowledge_written();
  // True if it is known where the newest acknowledged checkpoint is. The loss of its last copy can
  // then be noticed.
  bool follows_loss() const;
  bool is_lost() const;
  void lose(Time at, std::string holder);
  void fails(std::string_view disk);
  void is_damaged(std::string_view disk);
  void end_of(std::string_view machine) { training_.erase(std::string(machine)); }

  const History& history_;
  std::map<std::string, std::string> training_;
  std::map<std::string, std::int64_t> total_;  // steps, by instance
  bool tells_of_notices_ = false, finished_ = false;
  std::optional<Claimed> acknowledged_;
  std::map<std::int64_t, std::string> written_;  // not known to be on disk yet, by step
  std::uint64_t written_back_ = 0;               // how many of these are on disk
  struct Unsynced {
    Time at;
    std::int64_t step;
    std::string line;
  };
  // Durable checkpoints that are not in the bucket yet, in order, by instance of a training job.
  std::map<std::string, std::vector<Unsynced>, std::less<>> unsynced_;
  std::optional<Lost> lost_;
  std::vector<std::string> since_;              // lines about disks since the acknowledgement
  std::set<std::string, std::less<>> adopted_;  // resources of faults that the job adopted
  bool ever_tagged_ = false, tagged_broke_ = false;
  std::set<std::string, std::less<>> backups_;  // snapshots of those, pending or complete
  bool nothing_to_go_on_with_ = false;
  bool keeps_snapshots_ = false;  // the trainer keeps checkpoints in snapshots
  // Disks that were damaged, their snapshots that were started after the damage, and the volumes
  // made of these. A complete snapshot may have a checkpoint that the trainer did not report and
  // for which it deletes the older one.
  struct {
    std::set<std::string, std::less<>> disks, snapshots, complete;
  } of_damaged_;
};

}  // namespace sim::result
