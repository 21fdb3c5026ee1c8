// The places of a job's checkpoints that outlive its machines, but for its volumes.
#pragma once

#include <optional>

#include "sim/guest/fiber/object_store.h"
#include "sim/guest/fiber/volume_snapshots.h"

namespace sim::guest {

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
};

}  // namespace sim::guest
