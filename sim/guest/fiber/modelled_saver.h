// Checkpoints of a modelled trainer, saved as spottrain's Saver does (trainer/checkpoint/saver.h),
// to one place or several.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "sim/guest/fiber/checkpoint_place.h"
#include "sim/guest/fiber/trainer_model.h"
#include "sim/kernel/fiber.h"

namespace sim::guest {

// A checkpoint on its way to a place.
struct CheckpointWrite {
  CheckpointPlace* place = nullptr;
  TierKind to = TierKind::kVolume;
  KeptCheckpoint checkpoint;
  Duration stall{};  // how long training stood still for it
};

class ModelledSaver {
 public:
  // Both outlive the saver.
  ModelledSaver(Simulation& simulation, const TrainerModel& model)
      : simulation_(simulation), model_(model) {}
  // What is being written is lost.
  ~ModelledSaver();
  ModelledSaver(const ModelledSaver&) = delete;
  ModelledSaver& operator=(const ModelledSaver&) = delete;

  // ---- inside the trainer's fiber
  // Waits for the save before; then writes to one place after the other and returns when all are
  // written or, in mode async, when the state is copied, which is all that a place in memory needs.
  void save(std::vector<CheckpointWrite>& writes, Fiber& trainer);
  // Until no save is in flight.
  void wait(Fiber& trainer);
  // The saves to this place that failed since the last call.
  struct FailedSave {
    const CheckpointPlace* place = nullptr;
    std::int64_t step = 0;
    std::string why;
  };
  std::vector<FailedSave> take_failures(const CheckpointPlace& place);
  // A save to this place is in flight.
  bool writes_to(const CheckpointPlace& place) const;

 private:
  void write_next();
  bool begins(const CheckpointWrite& write);
  void publish(CheckpointWrite& write);

  Simulation& simulation_;
  const TrainerModel& model_;
  std::deque<CheckpointWrite> queue_;  // what is being written, first, and what waits
  std::optional<EventId> writing_;
  Time written_at_{};  // while it writes
  std::vector<FailedSave> failures_;
};

}  // namespace sim::guest
