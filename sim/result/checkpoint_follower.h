// Folds events into History::checkpoints: which places have a copy of each checkpoint. A checkpoint
// is on the volume to which it was written, and on each snapshot of that volume that was started
// afterwards. It is also on each volume made from such a snapshot, and so on, until these are
// deleted. An instance's end deletes its root disk. A checkpoint whose path is an object's URI
// exists as long as the object. A copy in S3 (checkpoint.copied) exists until another object
// replaces it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/events/listeners.h"
#include "sim/result/history.h"

namespace sim::result {

class CheckpointFollower {
 public:
  // The history must be up to date with an event before the follower gets the event.
  explicit CheckpointFollower(History& history)
      : history_(history), checkpoints_(history.checkpoints) {}
  // The follower must outlive the log's listeners.
  void listen(events::Listeners& log);

 private:
  using Held = Checkpoints::Held;
  struct Trainer {
    std::string folder, disk;  // where it saves, as its line `start` states
    // When it began each checkpoint that is not durable yet, by step. A slower tier may still
    // report the newest durable one.
    std::map<std::int64_t, Time> begun;
    std::optional<std::int64_t> newest;  // newest durable step since its last start
  };
  struct Written {
    Time at;
    std::int64_t step;
    std::string instance, holder;
  };
  struct Report {
    Time at;
    // If `path` is empty, the checkpoint is on the trainer's own disk.
    std::string instance, path, disk;
    std::string_view tier;
    std::int64_t step = 0, since = 0;
    bool durable = false;
  };

  void trainer_starts(const events::TrainerStart& event);
  void checkpoint_begins(const events::TrainerCheckpointBegin& event);
  void checkpoint_durable(const events::TrainerCheckpointDurable& event);
  void checkpoint_written(const events::TrainerCheckpointWritten& event);
  void checkpoint(const Report& report);
  void place(const Report& report, const std::string& disk, Held held);
  void volume_state(const events::VolumeState& event);
  void snapshot_state(const events::SnapshotState& event);
  void root_volume(const events::RootVolume& event);
  void instance_state(const events::InstanceState& event);
  void object_stored(const events::ObjectStored& event);
  void object_removed(const events::ObjectRemoved& event);
  void synced(const events::SagemakerSynced& event);
  void copied(const events::CheckpointCopied& event);
  void fault_damage(const events::FaultDamage& event);
  void write_back(Time now);
  void count_written_back(std::int64_t step);
  void went(const std::string& holder, Time at, std::string_view how);
  void holds(const std::string& holder, const Held& held);
  void inherits(const std::string& holder, const std::string& from);

  const History& history_;
  Checkpoints& checkpoints_;
  std::map<std::string, Trainer> trainers_;  // by instance ID
  // Checkpoints of containers, which are on no disk of the account, by instance.
  std::map<std::string, std::vector<std::pair<Time, Held>>> unplaced_;
  std::set<std::string> copied_;  // objects that are copies of checkpoints
  std::vector<Written> written_;  // not known to be on disk yet, in order
};

}  // namespace sim::result
