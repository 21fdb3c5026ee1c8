// An object store as a trainer's checkpoints see it, such as S3: it outlives instances and volumes
// and is reached from every zone.
#pragma once

#include "sim/cloud/cloud.h"
#include "sim/guest/fiber/checkpoint_place.h"
#include "sim/guest/fiber/trainer_model.h"

namespace sim::guest {

class ObjectStore : public CheckpointPlace {
 public:
  // Both outlive it. Requests are charged when they begin.
  ObjectStore(const ObjectStoreModel& model, cloud::Cloud& cloud) : model_(model), cloud_(cloud) {}

  // Two PUTs, one after the other; an object is there when its PUT has ended.
  Duration write_checkpoint(const KeptCheckpoint& checkpoint) override;
  Duration expected_write(std::int64_t bytes) const override;
  Duration read_checkpoints(const std::vector<std::int64_t>& sizes) override;  // two GETs each
  std::vector<KeptCheckpoint>& checkpoints() override { return checkpoints_; }

 private:
  Duration transfer(std::int64_t bytes) const;
  void charge(const char* usage, market::Usd price);

  const ObjectStoreModel& model_;
  cloud::Cloud& cloud_;
  std::vector<KeptCheckpoint> checkpoints_;
};

}  // namespace sim::guest
