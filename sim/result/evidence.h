// Whether the state that a job trained is still there, told from a run's events.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/events/event_log.h"
#include "sim/kernel/time.h"

namespace sim::run {

// Of the last checkpoint that a trainer reported.
struct Evidence {
  std::optional<bool> kept;          // empty: it cannot be said, and `why` says what is missing
  std::optional<std::int64_t> step;  // of the checkpoint; empty: none was reported
  std::string path;                  // the checkpoint's, or of the folder it is in; may be empty
  // What has it at the end: volumes, snapshots, "object-store", an object's URI.
  std::vector<std::string> on;
  std::string why;  // for people; empty: it is kept

  bool operator==(const Evidence&) const = default;
};

// As run.end and result.json have it, and the inverse.
Json to_json(const Evidence& evidence);
Evidence evidence_from(const Json& json);

// Follows checkpoints: one is on the volume where it was written, on every snapshot of that volume
// that was started afterwards, on every volume made of one of these, and so on, until they are
// deleted. What is on an instance's root disk goes with the instance. One whose path is an object's
// URI is there as long as the object is, and so is a copy in S3 (checkpoint.copied), until another
// object takes its place.
class EvidenceFinder {
 public:
  // The finder must outlive the log's listeners.
  void listen(events::Listeners& log);
  Evidence found() const;  // of the last checkpoint
  // Of all checkpoints that are there and were reported as durable, the greatest step; empty: there
  // is none, or it is not known on which disk. What a fault has damaged (fault.damage) is not
  // there, nor what was copied from it before something new was durable on it. Pending snapshots of
  // `broken`, a volume, do not count, nor does the volume itself.
  std::optional<std::int64_t> newest_durable(std::string_view broken = {}) const;
  // What has a durable checkpoint of this step or a later one: volumes, snapshots, "object-store",
  // an object's URI, an instance's ID for its root disk; damaged or not.
  std::vector<std::string> holders_of(std::int64_t step) const;
  // Of the checkpoints that a trainer only reported as written, those that must have got to their
  // disk: by then their machine had run on for kWrittenBack, or what the log's first line says, and
  // no fault had damaged the disk.
  // They are durable from then on.
  struct WrittenBack {
    std::uint64_t count = 0;  // so far
    std::int64_t step = 0;    // of the last one
  };
  const WrittenBack& written_back() const { return written_back_; }
  // Longer than Linux leaves what was written in memory: 30 s, and 5 s until it looks.
  static constexpr Duration kWrittenBack = std::chrono::seconds{60};
  // The scenario says that the job copies its checkpoints (`evidence: {copies: …}`): one on an
  // instance's root disk is durable only as a copy.
  bool needs_copy(std::string_view disk) const { return copies_ && disk == kRootDisk; }
  // False: the scenario says that its job leaves nothing (`evidence: none`).
  bool needed() const { return needed_; }

 private:
  static constexpr std::string_view kRootDisk = "root";
  struct Trainer {
    std::string folder, disk;  // of its checkpoints, as its line `start` says
    // Its checkpoints on their way, by step; of the newest, other tiers may still tell.
    std::map<std::int64_t, Time> begun;
    std::optional<std::int64_t> newest;  // that is durable, since its last start
  };
  struct Snapshot {
    std::string volume;
    Time started{};
    bool pending = true;
  };
  struct Written {
    Time at;
    std::int64_t step;
    std::string instance, holder;
  };
  struct Held {
    std::uint64_t report = 0;             // the number of the last checkpoint reported on it
    std::optional<std::int64_t> durable;  // the greatest step of those that are durable
    bool damaged = false;                 // that one may not be what was written
  };

  void run_start(const events::RunStart& event);
  void trainer_starts(const events::TrainerStart& event);
  void checkpoint_begins(const events::TrainerCheckpointBegin& event);
  void checkpoint_durable(const events::TrainerCheckpointDurable& event);
  void checkpoint_written(const events::TrainerCheckpointWritten& event);
  struct Report;  // what these two have in common
  void checkpoint(const Report& report);
  void volume_state(const events::VolumeState& event);
  void snapshot_state(const events::SnapshotState& event);
  void instance_state(const events::InstanceState& event);
  void object_stored(const events::ObjectStored& event);
  void object_removed(const events::ObjectRemoved& event);
  void synced(const events::SagemakerSynced& event);
  void copied(const events::CheckpointCopied& event);
  void fault_damage(const events::FaultDamage& event);
  void write_back(Time now);
  void went(const std::string& holder, Time at, std::string_view how);
  void holds(const std::string& holder, const Held& held);
  bool has_last(const std::string& holder) const;

  bool needed_ = true, copies_ = false;
  Duration written_after_ = kWrittenBack;
  std::map<std::string, Trainer> trainers_;    // by instance ID
  std::map<std::string, Snapshot> snapshots_;  // that are there, by ID
  std::optional<std::int64_t> step_;           // of the last checkpoint
  std::string path_;
  std::uint64_t report_ = 0;             // its number
  std::map<std::string, Held> holders_;  // of any; an instance's ID: its root disk
  // Checkpoints that are on no disk of the account's, by the instance: a container's.
  std::map<std::string, std::vector<std::pair<Time, Held>>> unplaced_;
  std::set<std::string> objects_;  // that are there, by "s3://BUCKET/KEY"
  std::set<std::string> copied_;   // of these, copies of checkpoints
  std::vector<Written> written_;   // that may not be on their disk yet, in order
  WrittenBack written_back_;
  std::string last_one_;  // how the last of those that had it went
};

}  // namespace sim::run
