// EBS snapshots of the job's volume as a place for checkpoints: a checkpoint is written to the
// volume and is safe here when a snapshot that was started after that is complete. Training does
// not wait for it, and it goes on without the instance.
#pragma once

#include <vector>

#include "sim/cloud/cloud.h"
#include "sim/guest/fiber/volume_models.h"

namespace sim::guest {

class VolumeSnapshots : public CheckpointPlace {
 public:
  // `request` is what a request to EC2 takes.
  VolumeSnapshots(cloud::Cloud& cloud, Duration request) : cloud_(cloud), request_(request) {}

  // The volume on which a trainer begins to work; it is used no longer than that trainer.
  void use(VolumeModel& volume) { volume_ = &volume; }

  // To the volume, unless it has this one, and the request for a snapshot.
  Duration write_checkpoint(const KeptCheckpoint& checkpoint) override;
  Duration expected_write(std::int64_t bytes) const override {
    return volume_->expected_write(bytes) + request_;
  }
  // Of the volume: a snapshot is read by making a volume of it.
  Duration read_checkpoints(const std::vector<std::int64_t>& sizes) override {
    return volume_->read_checkpoints(sizes);
  }
  std::vector<KeptCheckpoint>& checkpoints() override { return volume_->checkpoints(); }

  // Starts a snapshot with the volume's own tags; when it is complete, those before it are deleted.
  // Where EC2 refuses it, as at its most pending snapshots of a volume, nothing is saved.
  void publish(const KeptCheckpoint& checkpoint) override;
  const KeptCheckpoint* newest() override;
  bool busy() const override;
  bool one_at_a_time() const override { return true; }

 private:
  struct Snapshot {
    cloud::SnapshotId id;
    KeptCheckpoint checkpoint;
    bool complete = false;
  };

  bool on_volume(const KeptCheckpoint& checkpoint) const;
  void complete(const cloud::SnapshotId& id);

  cloud::Cloud& cloud_;
  Duration request_;
  VolumeModel* volume_ = nullptr;
  std::vector<Snapshot> snapshots_;  // not deleted; as they were started
};

}  // namespace sim::guest
