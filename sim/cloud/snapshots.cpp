// EBS snapshots: the volume's bytes at the call, usable when copied. Each stores all bytes that
// hold data; sharing between a volume's snapshots is not modelled.
#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/state.h"

namespace sim::cloud {
namespace {
constexpr int kPendingPerVolume = 5;  // EBS quota "Concurrent snapshots per … volume"
}  // namespace

SnapshotId Cloud::create_snapshot(const VolumeId& volume_id, const std::string& description,
                                  const Tags& tags) {
  State& s = *state_;
  const Volume& volume = s.shown(volume_id);
  if (volume.state != VolumeState::kAvailable && volume.state != VolumeState::kInUse)
    throw ApiError("IncorrectState",
                   fmt::format("The volume '{}' is '{}'", volume_id.value, name(volume.state)));
  if (volume.root)
    throw ApiError("UnsupportedOperation", "The volume '" + volume_id.value +
                                               "' is an instance's root, of which this simulated "
                                               "AWS takes no snapshots.");
  const auto pending = std::ranges::count_if(s.snapshot_completion, [&](const auto& entry) {
    return s.snapshots.at(entry.first).volume == volume_id;
  });
  if (pending >= kPendingPerVolume)
    throw ApiError("ConcurrentSnapshotLimitExceeded",
                   "You have exceeded the number of concurrent snapshots for volume " +
                       volume_id.value + ": " + std::to_string(kPendingPerVolume));
  s.check_tags(tags, {});

  const SnapshotId id = s.ids.snapshot();
  Snapshot& snapshot = s.snapshots[id];
  snapshot = {.id = id,
              .volume = volume_id,
              .volume_size_gib = volume.size_gib,
              .encrypted = volume.encrypted,
              .kms_key_id = volume.kms_key_id,
              .started_at = s.now(),
              .description = description,
              .tags = tags};
  snapshot.stored_bytes = s.host.snapshot_disk(id, volume_id);
  const Durations& d = s.config.durations;
  const double mib = static_cast<double>(snapshot.stored_bytes) / (1 << 20);
  snapshot.duration = s.draw(d.snapshot_base, "snapshot-duration", id.value) +
                      from_seconds(mib / d.snapshot_mib_per_second);
  s.tell_new(snapshot);
  s.tell_tags(id.value, tags);
  s.snapshot_completion[id] = s.simulation.after(snapshot.duration, [&s, &snapshot] {
    s.snapshot_completion.erase(snapshot.id);
    snapshot.completed_at = s.now();
    s.set_state(snapshot, SnapshotState::kCompleted);
  });
  return id;
}

void Cloud::fail_snapshot(const SnapshotId& id) {
  State& s = *state_;
  Snapshot& snapshot = s.find(id);
  const auto pending = s.snapshot_completion.find(id);
  if (pending == s.snapshot_completion.end()) return;
  s.simulation.cancel(pending->second);
  s.snapshot_completion.erase(pending);
  s.set_state(snapshot, SnapshotState::kError);
}

void Cloud::delete_snapshot(const SnapshotId& id) {
  State& s = *state_;
  Snapshot& snapshot = s.shown(id);
  for (const auto& [volume_id, volume] : s.volumes)
    if (volume.snapshot == id && volume.state == VolumeState::kCreating)
      throw ApiError("InvalidSnapshot.InUse",
                     "The snapshot " + id.value + " is currently in use by " + volume_id.value);
  if (const auto pending = s.snapshot_completion.find(id); pending != s.snapshot_completion.end()) {
    s.simulation.cancel(pending->second);
    s.snapshot_completion.erase(pending);
  }
  SIM_CHECK(allowed("snapshot", name(snapshot.state), "deleted"));
  snapshot.deleted_at = s.now();
  s.tell(&Observer::changed);
  s.tell(&Observer::snapshot_deleted, snapshot);
  s.bill(snapshot);
  s.host.delete_snapshot_disk(id);
}

}  // namespace sim::cloud
