#include "sim/result/checkpoint_follower.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim::result {
namespace {

constexpr std::string_view kObjectStore = "object-store", kSnapshotTier = "snapshot";

std::string clock_of(Time at) { return iso_seconds(at).substr(11, 8); }

}  // namespace

void CheckpointFollower::listen(events::Listeners& log) {
  const auto on = [this, &log]<class E>(void (CheckpointFollower::*hear)(const E&)) {
    log.on<E>([this, hear](const E& event) {
      if (!written_.empty()) write_back(event.time);
      (this->*hear)(event);
    });
  };
  on(&CheckpointFollower::trainer_starts);
  on(&CheckpointFollower::checkpoint_begins);
  on(&CheckpointFollower::checkpoint_durable);
  on(&CheckpointFollower::checkpoint_written);
  on(&CheckpointFollower::volume_state);
  on(&CheckpointFollower::snapshot_state);
  on(&CheckpointFollower::root_volume);
  on(&CheckpointFollower::instance_state);
  on(&CheckpointFollower::object_stored);
  on(&CheckpointFollower::object_removed);
  on(&CheckpointFollower::synced);
  on(&CheckpointFollower::copied);
  on(&CheckpointFollower::fault_damage);
}

void CheckpointFollower::fault_damage(const events::FaultDamage& event) {
  std::erase_if(written_, [&](const Written& w) { return w.holder == event.disk; });
  if (const auto at = checkpoints_.holders.find(std::string(event.disk));
      at != checkpoints_.holders.end())
    at->second.damaged = true;
}

// Data that is only in the memory of a machine is lost with the machine.
void CheckpointFollower::instance_state(const events::InstanceState& event) {
  if (event.to != "running")
    std::erase_if(written_, [&](const Written& w) { return w.instance == event.instance_id; });
  if (event.to == "terminated") went(std::string(event.instance_id), event.time, "ended");
}

namespace {

// The data file that belongs to a manifest (docs/checkpoints.md).
std::string data_of(const std::string& manifest) {
  const std::string_view kind = ".json";
  if (!manifest.ends_with(kind)) return manifest;
  return manifest.substr(0, manifest.size() - kind.size()) + ".safetensors";
}

}  // namespace

// The bucket has the state that the container's folder had when SageMaker last read it.
void CheckpointFollower::synced(const events::SagemakerSynced& event) {
  const auto looked = parse_time(event.looked);
  for (const auto& [at, held] : unplaced_[std::string(event.instance_id)])
    if (looked && at <= *looked) holds(std::string(kObjectStore), held);
}

void CheckpointFollower::object_stored(const events::ObjectStored& event) {
  const std::string uri = fmt::format("{}{}/{}", kBucketScheme, event.bucket, event.key);
  // If the new object is a copy again, the next line of the log reports it.
  if (copied_.erase(uri) > 0) went(uri, event.time, "was overwritten");
}

void CheckpointFollower::object_removed(const events::ObjectRemoved& event) {
  const std::string uri = fmt::format("{}{}/{}", kBucketScheme, event.bucket, event.key);
  copied_.erase(uri);
  for (const std::string& gone : {uri, data_of(uri)}) went(gone, event.time, "was deleted");
}

void CheckpointFollower::write_back(Time now) {
  const auto young = std::ranges::find_if(
      written_, [&](const Written& w) { return w.at + history_.header.written_back > now; });
  for (auto w = written_.begin(); w != young; ++w) {
    if (!checkpoints_.holders.contains(w->holder)) continue;
    holds(w->holder, {.report = 0, .durable = w->step});
    count_written_back(w->step);
  }
  written_.erase(written_.begin(), young);
}

void CheckpointFollower::trainer_starts(const events::TrainerStart& event) {
  trainers_[std::string(event.instance_id)] = {.folder = std::string(event.folder),
                                               .disk = std::string(event.disk)};
}

void CheckpointFollower::checkpoint_begins(const events::TrainerCheckpointBegin& event) {
  trainers_[std::string(event.instance_id)].begun[event.step] = event.time;
}

void CheckpointFollower::copied(const events::CheckpointCopied& event) {
  const std::string uri(event.uri);
  if (!history_.objects.contains(uri)) return;
  copied_.insert(uri);
  holds(uri, {.report = checkpoints_.step == event.step ? checkpoints_.report : 0,
              .durable = event.since.value_or(event.step)});
}

void CheckpointFollower::checkpoint_durable(const events::TrainerCheckpointDurable& event) {
  checkpoint({.at = event.time,
              .instance = std::string(event.instance_id),
              .path = std::string(event.path),
              .disk = std::string(event.disk),
              .tier = event.tier,
              .step = event.step,
              .since = event.step,
              .durable = true});
}

// A scenario's rule finds a file only when the trainer reports its next step. So the file may be as
// old as the trainer's previous report.
void CheckpointFollower::checkpoint_written(const events::TrainerCheckpointWritten& event) {
  checkpoint({.at = event.time,
              .instance = std::string(event.instance_id),
              .path = std::string(event.path),
              .disk = std::string(event.disk),
              .tier = event.tier,
              .step = event.step,
              .since = event.since.value_or(event.step)});
}

void CheckpointFollower::checkpoint(const Report& report) {
  Trainer& trainer = trainers_[report.instance];
  const std::int64_t step = report.step;
  const bool has_path = !report.path.empty();
  const std::string& disk = has_path ? report.disk : trainer.disk;
  Held held;
  if (report.durable && !history_.header.needs_copy(disk)) held.durable = step;
  const auto begun = trainer.begun.find(step);
  const Time since = begun == trainer.begun.end() ? report.at : begun->second;
  // Otherwise a slower tier reports late, after a faster tier has saved a later step.
  if (!trainer.newest || step >= *trainer.newest) {
    trainer.newest = step;
    // A second report of the same step is another copy of the same checkpoint.
    if (checkpoints_.step != step) ++checkpoints_.report, checkpoints_.last_one.clear();
    held.report = checkpoints_.report;
    checkpoints_.step = step;
    checkpoints_.path = report.tier == kObjectStore ? "" : has_path ? report.path : trainer.folder;
    trainer.begun.erase(trainer.begun.begin(), trainer.begun.lower_bound(step));
  }
  place(report, disk, held);
  // This report comes when the snapshot is complete. The snapshot was started when the checkpoint
  // was on the volume.
  if (report.tier == kSnapshotTier)
    for (const auto& [id, snapshot] : history_.snapshots)
      if (snapshot.volume == disk && snapshot.is_there() && snapshot.made_at >= since)
        holds(id, held);
}

void CheckpointFollower::place(const Report& report, const std::string& disk, Held held) {
  if (report.tier == kObjectStore) {
    holds(std::string(kObjectStore), held);
  } else if (report.path.starts_with(kBucketScheme)) {
    if (!history_.objects.contains(report.path)) return;
    held.durable = report.step;
    holds(report.path, held);
    if (!report.durable) count_written_back(report.step);
  } else if (!disk.empty()) {
    const std::string holder = disk == kRootDisk ? report.instance : disk;
    holds(holder, held);
    if (!held.durable && !history_.header.needs_copy(disk))
      written_.push_back(
          {.at = report.at, .step = report.since, .instance = report.instance, .holder = holder});
  } else {
    unplaced_[report.instance].emplace_back(report.at, held);
  }
}

void CheckpointFollower::count_written_back(std::int64_t step) {
  checkpoints_.written_back = {.count = checkpoints_.written_back.count + 1, .step = step};
}

void CheckpointFollower::holds(const std::string& holder, const Held& held) {
  Held& all = checkpoints_.holders[holder];
  all.report = std::max(all.report, held.report);
  if (all.damaged && !held.damaged && held.durable) all.durable = {}, all.damaged = false;
  all.durable = std::max(all.durable, held.durable);
  all.damaged |= held.damaged;
}

void CheckpointFollower::volume_state(const events::VolumeState& event) {
  const std::string id(event.volume_id);
  if (event.is_new()) inherits(id, std::string(event.snapshot_id));
  if (event.to == "deleting" || event.to == "deleted") went(id, event.time, "was deleted");
  if (event.to == "error") went(id, event.time, "failed");
}

void CheckpointFollower::snapshot_state(const events::SnapshotState& event) {
  const std::string id(event.snapshot_id), volume(event.volume_id);
  // The instance if the volume is its root, else empty.
  const std::string of_root(event.instance_id);
  const std::string original(event.copy_of);
  if (event.from.empty() && !original.empty())
    inherits(id, original);
  else if (event.from.empty())
    inherits(id, of_root.empty() ? volume : of_root);
  if (event.to != "deleted" && event.to != "error") return;
  went(id, event.time, event.to == "deleted" ? "was deleted" : "failed");
}

void CheckpointFollower::root_volume(const events::RootVolume& event) {
  const std::string volume(event.volume_id), instance(event.instance_id);
  if (event.to == "restored") inherits(instance, std::string(event.snapshot_id));
  if (event.to == "kept") inherits(volume, instance);
  if (event.to == "deleted") went(volume, event.time, "was deleted");
}

void CheckpointFollower::inherits(const std::string& holder, const std::string& from) {
  const auto found = checkpoints_.holders.find(from);
  if (found == checkpoints_.holders.end()) return;
  const Held held = found->second;
  holds(holder, held);
}

void CheckpointFollower::went(const std::string& holder, Time at, std::string_view how) {
  const bool had = checkpoints_.has_last(holder);
  checkpoints_.holders.erase(holder);
  const auto has = [this](const auto& other) { return checkpoints_.has_last(other.first); };
  if (!had || std::ranges::any_of(checkpoints_.holders, has)) return;
  const std::string_view what = holder.starts_with("i-") ? "the root disk of " : "";
  checkpoints_.last_one = fmt::format("{}{}, which {} at {}", what, holder, how, clock_of(at));
}

}  // namespace sim::result
