// Saves a modelled trainer's checkpoints to one or several places, like spottrain's Saver
// (trainer/checkpoint/saver.h).
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
  Duration stall{};  // how long training paused for it
};

class ModelledSaver {
 public:
  // Both references must outlive the saver.
  ModelledSaver(Simulation& simulation, const TrainerModel& model)
      : simulation_(simulation), model_(model) {}
  // Checkpoints that are being written are lost.
  ~ModelledSaver();
  ModelledSaver(const ModelledSaver&) = delete;
  ModelledSaver& operator=(const ModelledSaver&) = delete;

  // ---- called inside the trainer's fiber
  //
  // Waits for the previous save and then writes to one place after another. It returns when all are
  // written. In mode async it returns when the state is copied, which suffices for a place in
  // memory.
  void save(std::vector<CheckpointWrite>& writes, Fiber& trainer);
  // Waits until no save is in progress.
  void wait(Fiber& trainer);
  // Saves to this place that failed since the last call.
  struct FailedSave {
    const CheckpointPlace* place = nullptr;
    std::int64_t step = 0;
    std::string why;
  };
  std::vector<FailedSave> take_failures(const CheckpointPlace& place);
  // True while a save to this place is in progress.
  bool writes_to(const CheckpointPlace& place) const;

 private:
  void write_next();
  bool begins(const CheckpointWrite& write);
  void publish(CheckpointWrite& write);

  Simulation& simulation_;
  const TrainerModel& model_;
  std::deque<CheckpointWrite> queue_;  // the present write first, then waiting ones
  std::optional<EventId> writing_;
  Time written_at_{};  // end of the present write
  std::vector<FailedSave> failures_;
};

}  // namespace sim::guest
