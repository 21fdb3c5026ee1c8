// Places of a job's checkpoints that outlive its machines, besides its volumes: an object store and
// EBS snapshots.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/cloud/cloud.h"
#include "sim/guest/fiber/checkpoint_place.h"
#include "sim/guest/fiber/trainer_model.h"
#include "sim/guest/fiber/volume_models.h"

namespace sim::guest {

// The time of one request with this many bytes.
Duration transfer_time(const ObjectStoreModel& store, std::int64_t bytes);

// An object store such as S3, which is reached from every zone.
class ObjectStore : public CheckpointPlace {
 public:
  // Both arguments must outlive it. Requests are charged when they begin.
  ObjectStore(const ObjectStoreModel& model, cloud::Cloud& cloud) : model_(model), cloud_(cloud) {}

  // Two PUTs in sequence. An object exists when its PUT has ended.
  Duration write_checkpoint(const KeptCheckpoint& checkpoint) override;
  Duration expected_write(std::int64_t bytes) const override;
  Duration read_checkpoints(const std::vector<std::int64_t>& sizes) override;  // two GETs each
  std::vector<KeptCheckpoint>& checkpoints() override { return checkpoints_; }

 private:
  void charge(const char* usage, market::Usd price);

  const ObjectStoreModel& model_;
  cloud::Cloud& cloud_;
  std::vector<KeptCheckpoint> checkpoints_;
};

// Snapshots of the job's volume. A checkpoint is written to the volume, and is safe when a snapshot
// that started afterwards is complete. Training continues meanwhile, and the snapshot completes
// even if the instance ends.
class VolumeSnapshots : public CheckpointPlace {
 public:
  // `request` is the duration of a request to EC2.
  VolumeSnapshots(cloud::Cloud& cloud, Duration request) : cloud_(cloud), request_(request) {}

  // Sets the volume of a trainer that starts. It is used only by that trainer.
  void use(VolumeModel& volume) {
    volume_ = &volume;
    lost_ = -1;
  }

  // Writes to the volume, if it does not have the checkpoint, and requests a snapshot.
  Duration write_checkpoint(const KeptCheckpoint& checkpoint) override;
  Duration expected_write(std::int64_t bytes) const override {
    return volume_->expected_write(bytes) + request_;
  }
  // Reads from the volume, because a snapshot is read by making a volume from it.
  Duration read_checkpoints(const std::vector<std::int64_t>& sizes) override {
    return volume_->read_checkpoints(sizes);
  }
  std::vector<KeptCheckpoint>& checkpoints() override { return volume_->checkpoints(); }

  bool has_room(const KeptCheckpoint& checkpoint) const override {
    return on_volume(checkpoint) || volume_->has_room(checkpoint);
  }
  std::string write_error(Time now) const override { return volume_->write_error(now); }
  // Starts a snapshot with the volume's own tags. When the snapshot completes, older snapshots are
  // deleted. A failed snapshot is deleted itself. If EC2 refuses it, for example at the limit of
  // pending snapshots, nothing is saved.
  void publish(const KeptCheckpoint& checkpoint) override;
  const KeptCheckpoint* newest() override;
  bool busy() const override;
  bool has_lost(std::int64_t step) const override { return lost_ == step; }
  bool one_at_a_time() const override { return true; }

 private:
  struct Snapshot {
    cloud::SnapshotId id;
    KeptCheckpoint checkpoint;
    bool complete = false;
  };

  bool on_volume(const KeptCheckpoint& checkpoint) const;
  void ended(const cloud::SnapshotId& id);
  void delete_those_before();

  cloud::Cloud& cloud_;
  Duration request_;
  VolumeModel* volume_ = nullptr;
  std::vector<Snapshot> snapshots_;  // not deleted; as they were started
  std::int64_t lost_ = -1;           // the step of the last one that failed
};

struct JobPlaces {
  // Makes the places that the trainer's tiers need. `request` is the duration of a request to EC2.
  JobPlaces(const TrainerModel& trainer, cloud::Cloud& cloud, Duration request) {
    for (const CheckpointTier& tier : trainer.tiers) {
      if (tier.to == TierKind::kObjectStore) object_store.emplace(tier.object_store, cloud);
      if (tier.to == TierKind::kSnapshot) snapshots.emplace(cloud, request);
    }
  }
  JobPlaces(const JobPlaces&) = delete;
  JobPlaces& operator=(const JobPlaces&) = delete;

  std::optional<ObjectStore> object_store;
  std::optional<VolumeSnapshots> snapshots;
  Time code_unreachable_until = Time::min();  // no repository can be cloned until then
};

}  // namespace sim::guest
