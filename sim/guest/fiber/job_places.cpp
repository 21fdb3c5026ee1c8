#include "sim/guest/fiber/job_places.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim::guest {

// ---- object store

Duration transfer_time(const ObjectStoreModel& store, std::int64_t bytes) {
  return store.latency +
         from_seconds(static_cast<double>(bytes) / static_cast<double>(store.bytes_per_second));
}

void ObjectStore::charge(const char* usage, market::Usd price) {
  constexpr std::int64_t kRequests = 2;  // for the checkpoint and its manifest
  const Time now = cloud_.simulation().now();
  cloud_.charge({.kind = cloud::ChargeKind::kRequests,
                 .resource = "checkpoints",
                 .usage = usage,
                 .from = now,
                 .to = now,
                 .quantity = static_cast<double>(kRequests),
                 .unit = "requests",
                 .unit_price = price,
                 .cost = {kRequests * price.nano},
                 .note = ""});
}

Duration ObjectStore::expected_write(std::int64_t bytes) const {
  return transfer_time(model_, bytes) + transfer_time(model_, kManifestBytes);
}

Duration ObjectStore::write_checkpoint(const KeptCheckpoint& checkpoint) {
  charge("Requests-Tier1", model_.put_price);
  return expected_write(checkpoint.bytes);
}

Duration ObjectStore::read_checkpoints(const std::vector<std::int64_t>& sizes) {
  Duration time{};
  for (const std::int64_t bytes : sizes) {
    charge("Requests-Tier2", model_.get_price);
    time += transfer_time(model_, kManifestBytes) + transfer_time(model_, bytes);
  }
  return time;
}

// ---- snapshots

namespace {
constexpr Duration kUntilDeletedAgain = std::chrono::seconds(15);
}

bool VolumeSnapshots::on_volume(const KeptCheckpoint& checkpoint) const {
  const auto& kept = volume_->content.checkpoints;
  return !kept.empty() && kept.back().step == checkpoint.step;
}

Duration VolumeSnapshots::write_checkpoint(const KeptCheckpoint& checkpoint) {
  const Duration write = on_volume(checkpoint) ? Duration{} : volume_->write_checkpoint(checkpoint);
  return write + request_;
}

void VolumeSnapshots::publish(const KeptCheckpoint& checkpoint) {
  if (!on_volume(checkpoint)) volume_->publish(checkpoint);
  lost_ = -1;
  try {
    cloud::Tags tags = cloud_.volume(volume_->id).tags;
    std::erase_if(tags, [](const auto& tag) { return tag.first.starts_with("spotrun:"); });
    const cloud::SnapshotId id = cloud_.create_snapshot(
        volume_->id, fmt::format("checkpoint of step {}", checkpoint.step), tags);
    snapshots_.push_back({id, checkpoint});
    // Scheduled after the cloud's own event of the same instant.
    cloud_.simulation().after(cloud_.snapshot(id).duration, [this, id] { ended(id); });
  } catch (const cloud::ApiError&) {
    // As the header says.
  }
}

const KeptCheckpoint* VolumeSnapshots::newest() {
  const auto found = std::find_if(snapshots_.rbegin(), snapshots_.rend(),
                                  [](const Snapshot& one) { return one.complete; });
  return found == snapshots_.rend() ? nullptr : &found->checkpoint;
}

bool VolumeSnapshots::busy() const {
  return std::any_of(snapshots_.begin(), snapshots_.end(),
                     [](const Snapshot& one) { return !one.complete; });
}

void VolumeSnapshots::ended(const cloud::SnapshotId& id) {
  const auto at = std::ranges::find(snapshots_, id, &Snapshot::id);
  if (cloud_.snapshot(id).state == cloud::SnapshotState::kError) {
    lost_ = at->checkpoint.step;
    snapshots_.erase(at);
    cloud_.delete_snapshot(id);
    return;
  }
  at->complete = true;
  at->checkpoint.at = cloud_.simulation().now();
  delete_those_before();
}

void VolumeSnapshots::delete_those_before() {
  const KeptCheckpoint* const newest_one = newest();
  bool in_use = false;
  std::erase_if(snapshots_, [&](const Snapshot& old) {
    if (!old.complete || &old.checkpoint == newest_one) return false;
    try {
      cloud_.delete_snapshot(old.id);
    } catch (const cloud::ApiError& error) {
      if (error.code() == "InvalidSnapshot.InUse") {
        in_use = true;
        return false;
      }
    }
    return true;
  });
  // A volume is being made from the snapshot. Tries again when that may be complete.
  if (in_use) cloud_.simulation().after(kUntilDeletedAgain, [this] { delete_those_before(); });
}

}  // namespace sim::guest
