// A modelled container's folder as the place of its trainer's checkpoints. Each checkpoint is a
// data file and a manifest. A list of epochs of spottrain's length is beside them.
#pragma once

#include <string>
#include <vector>

#include "sim/cloud/container.h"
#include "sim/guest/fiber/checkpoint_place.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

class ContainerCheckpoints : public CheckpointPlace {
 public:
  // Both arguments outlive the object. `name` is the checkpoints' folder within the container's.
  // Existing checkpoints count if both of their files exist, as in spottrain.
  ContainerCheckpoints(const Simulation& simulation, cloud::ModelledFolder& folder,
                       std::string name);

  // Writes below /opt/ml take no time (docs/sagemaker.md).
  Duration write_checkpoint(const KeptCheckpoint&) override { return kWrite; }
  Duration expected_write(std::int64_t) const override { return kWrite; }
  Duration read_checkpoints(const std::vector<std::int64_t>&) override { return {}; }
  std::vector<KeptCheckpoint>& checkpoints() override { return checkpoints_; }
  void publish(const KeptCheckpoint& checkpoint) override;

 private:
  // spottrain's clock reads during a save, 1 µs each; measured in process guests.
  static constexpr Duration kWrite = std::chrono::milliseconds{3};

  std::string list() const { return name_ + "/train.csv"; }
  std::string path(std::int64_t step, const char* end) const;
  void write(const std::string& path, std::string text);

  const Simulation& simulation_;
  cloud::ModelledFolder& folder_;
  const std::string name_;
  std::vector<KeptCheckpoint> checkpoints_;
};

}  // namespace sim::guest
