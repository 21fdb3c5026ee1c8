// A place where a modelled trainer keeps checkpoints: a machine's memory, a volume, snapshots, an
// object store or a container's folder. Each transfer returns the virtual time that it takes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/guest/fiber/trainer_model.h"
#include "sim/kernel/time.h"

namespace sim::guest {

struct KeptCheckpoint {
  std::int64_t step = 0;
  std::int64_t bytes = 0;
  std::int64_t base = 0;  // step of the full checkpoint that it needs; its own step: it is full
  Time at{};              // when it was complete

  bool damaged = false;  // its content is damaged

  bool full() const { return base == step; }
};

class CheckpointPlace {
 public:
  virtual ~CheckpointPlace() = default;
  // The time to write a checkpoint and its manifest.
  virtual Duration write_checkpoint(const KeptCheckpoint& checkpoint) = 0;
  // The expected time of a write of this size.
  virtual Duration expected_write(std::int64_t bytes) const = 0;
  // The time to read checkpoints of these sizes when a trainer starts.
  virtual Duration read_checkpoints(const std::vector<std::int64_t>& sizes) = 0;
  // The checkpoints that can be read, the newest last.
  virtual std::vector<KeptCheckpoint>& checkpoints() = 0;

  // True if there is space for this checkpoint. Otherwise the write fails at once, like the first
  // write(2) that finds no block.
  virtual bool has_room(const KeptCheckpoint& /*checkpoint*/) const { return true; }
  // The error of a write that ends now, in the words of strerror(3). Empty: it succeeds.
  virtual std::string write_error(Time /*now*/) const { return ""; }
  // Adds a written checkpoint. The last three remain, as with spottrain's --keep, and the full ones
  // that they need.
  virtual void publish(const KeptCheckpoint& checkpoint);
  // The newest checkpoint that is safe here; or null.
  virtual const KeptCheckpoint* newest();
  // True while a published checkpoint is not safe yet.
  virtual bool busy() const { return false; }
  // True if the checkpoint of this step was published and will never be safe.
  virtual bool has_lost(std::int64_t /*step*/) const { return false; }
  // True if no checkpoint may begin while another is not safe yet.
  virtual bool one_at_a_time() const { return false; }

  // The sizes to read to restore the newest checkpoint: those of its full checkpoint and its own.
  std::vector<std::int64_t> sizes_to_restore();
  // The newest full checkpoint; or null.
  const KeptCheckpoint* newest_full();

 protected:
  // The size of the manifest beside a checkpoint.
  static constexpr std::int64_t kManifestBytes = 280;
};

// The machine's memory. It survives the trainer's process and is lost with the machine.
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
