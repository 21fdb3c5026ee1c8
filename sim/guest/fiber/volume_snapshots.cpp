#include "sim/guest/fiber/volume_snapshots.h"

#include <fmt/format.h>

namespace sim::guest {

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
  cloud::Tags tags = cloud_.volume(volume_->id).tags;
  std::erase_if(tags, [](const auto& tag) { return tag.first.starts_with("spotrun:"); });
  const cloud::SnapshotId id = cloud_.create_snapshot(
      volume_->id, fmt::format("checkpoint of step {}", checkpoint.step), tags);
  pending_ = true;
  // Scheduled after the cloud's own event of the same instant.
  cloud_.simulation().after(cloud_.snapshot(id).duration,
                            [this, id, checkpoint] { complete(id, checkpoint); });
}

void VolumeSnapshots::complete(const cloud::SnapshotId& id, KeptCheckpoint checkpoint) {
  pending_ = false;
  checkpoint.at = cloud_.simulation().now();
  safe_ = checkpoint;
  // One of which a volume is being made cannot be deleted: the next time, then.
  std::erase_if(complete_, [this](const cloud::SnapshotId& old) {
    try {
      cloud_.delete_snapshot(old);
      return true;
    } catch (const cloud::ApiError&) {
      return false;
    }
  });
  complete_.push_back(id);
}

}  // namespace sim::guest
