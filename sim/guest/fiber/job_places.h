// The places of a job's checkpoints that outlive its machines, but for its volumes: an object store
// and EBS snapshots.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/cloud/cloud.h"
#include "sim/guest/fiber/checkpoint_place.h"
#include "sim/guest/fiber/trainer_model.h"
#include "sim/guest/fiber/volume_models.h"

namespace sim::guest {

// Of one request for so many bytes.
Duration transfer_time(const ObjectStoreModel& store, std::int64_t bytes);

// Such as S3: it is reached from every zone.
class ObjectStore : public CheckpointPlace {
 public:
  // Both outlive it. Requests are charged when they begin.
  ObjectStore(const ObjectStoreModel& model, cloud::Cloud& cloud) : model_(model), cloud_(cloud) {}

  // Two PUTs, one after the other. An object exists when its PUT has ended.
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

// Snapshots of the job's volume: a checkpoint is written to the volume and is safe here when a
// snapshot that was started after that is complete. Training does not wait for it, and it goes on
// without the instance.
class VolumeSnapshots : public CheckpointPlace {
 public:
  // `request` is what a request to EC2 takes.
  VolumeSnapshots(cloud::Cloud& cloud, Duration request) : cloud_(cloud), request_(request) {}

  // The volume on which a trainer begins to work; it is used no longer than that trainer.
  void use(VolumeModel& volume) {
    volume_ = &volume;
    lost_ = -1;
  }

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

  bool has_room(const KeptCheckpoint& checkpoint) const override {
    return on_volume(checkpoint) || volume_->has_room(checkpoint);
  }
  std::string write_error(Time now) const override { return volume_->write_error(now); }
  // Starts a snapshot with the volume's own tags; when it is complete, those before it are deleted;
  // when it has failed, it is.
  // Where EC2 refuses it, as at its most pending snapshots of a volume, nothing is saved.
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
  // Those that the trainer's tiers need. `request` is what a request to EC2 takes.
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
  Time code_unreachable_until = Time::min();  // no repository can be cloned before
};

}  // namespace sim::guest
