// A machine's memory as a place for checkpoints: there for the next trainer process on the same
// machine, and gone with it.
#pragma once

#include "sim/guest/fiber/checkpoint_place.h"
#include "sim/guest/fiber/trainer_model.h"

namespace sim::guest {

class MachineMemory : public CheckpointPlace {
 public:
  explicit MachineMemory(const TrainerModel& model) : model_(model) {}

  Duration write_checkpoint(const KeptCheckpoint& checkpoint) override {
    return expected_write(checkpoint.bytes);
  }
  Duration expected_write(std::int64_t bytes) const override { return copy_time(model_, bytes); }
  Duration read_checkpoints(const std::vector<std::int64_t>& sizes) override {
    Duration time{};
    for (const std::int64_t bytes : sizes) time += copy_time(model_, bytes);
    return time;
  }
  std::vector<KeptCheckpoint>& checkpoints() override { return checkpoints_; }

 private:
  const TrainerModel& model_;
  std::vector<KeptCheckpoint> checkpoints_;
};

}  // namespace sim::guest
