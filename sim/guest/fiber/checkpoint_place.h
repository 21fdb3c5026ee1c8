// Where a modelled trainer's checkpoints are kept. Each transfer returns the virtual time that it
// takes.
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
  std::int64_t base = 0;  // the full one that it needs; its own step: it is full
  Time at{};              // since when it is there

  bool damaged = false;  // what is there does not verify

  bool full() const { return base == step; }
};

class CheckpointPlace {
 public:
  virtual ~CheckpointPlace() = default;
  // The time to write a checkpoint and its manifest.
  virtual Duration write_checkpoint(const KeptCheckpoint& checkpoint) = 0;
  // What a write of so many bytes would take.
  virtual Duration expected_write(std::int64_t bytes) const = 0;
  // Checkpoints of these sizes, at a trainer's start.
  virtual Duration read_checkpoints(const std::vector<std::int64_t>& sizes) = 0;
  // Those that can be read, the newest last.
  virtual std::vector<KeptCheckpoint>& checkpoints() = 0;

  // Whether this checkpoint fits beside what is there. One that does not fails at once, as the
  // first write(2) that finds no block does.
  virtual bool has_room(const KeptCheckpoint& /*checkpoint*/) const { return true; }
  // Why a write that ends now fails, as strerror(3) says it; empty: it does not.
  virtual std::string write_error(Time /*now*/) const { return ""; }
  // Adds a written checkpoint. The last three stay, as with spottrain's --keep, and the full ones
  // that they need.
  virtual void publish(const KeptCheckpoint& checkpoint);
  // The newest that is safe here; null: there is none.
  virtual const KeptCheckpoint* newest();
  // One is published that is not safe yet.
  virtual bool busy() const { return false; }
  // The one of this step was published, and will never be safe.
  virtual bool has_lost(std::int64_t /*step*/) const { return false; }
  // While one is not safe yet, no other is begun.
  virtual bool one_at_a_time() const { return false; }

  // The sizes to read for a restore of the newest checkpoint: its full one's, and its own.
  std::vector<std::int64_t> sizes_to_restore();
  // The newest full one; null: there is none.
  const KeptCheckpoint* newest_full();

 protected:
  // The size of the manifest beside a checkpoint.
  static constexpr std::int64_t kManifestBytes = 280;
};

// A machine's memory: there for the next trainer process on the same machine, and gone with it.
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
