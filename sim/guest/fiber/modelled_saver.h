// Checkpoints of a modelled trainer, saved as spottrain's Saver does (trainer/checkpoint/saver.h).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "sim/guest/fiber/checkpoint_place.h"
#include "sim/guest/fiber/trainer_model.h"
#include "sim/kernel/fiber.h"

namespace sim::guest {

class ModelledSaver {
 public:
  struct Saved {
    std::int64_t step = 0;
    Duration took{};  // from the call of save() until it was durable
  };

  // All outlive the saver.
  ModelledSaver(Simulation& simulation, const TrainerModel& model, CheckpointPlace& place)
      : simulation_(simulation), model_(model), place_(place) {}
  // What is being written is lost.
  ~ModelledSaver();
  ModelledSaver(const ModelledSaver&) = delete;
  ModelledSaver& operator=(const ModelledSaver&) = delete;

  // ---- inside the trainer's fiber
  // Waits for the save before; then returns when this one is durable or, in mode async, when the
  // state is copied.
  void save(std::int64_t step, Fiber& trainer);
  // Until no save is in flight.
  void wait(Fiber& trainer);
  // The save that has become durable since the last call; at most one is in flight.
  std::optional<Saved> take_saved() { return std::exchange(saved_, {}); }

 private:
  void publish(Saved saved);

  Simulation& simulation_;
  const TrainerModel& model_;
  CheckpointPlace& place_;
  std::optional<EventId> writing_;
  Time durable_at_{};  // while it writes
  std::optional<Saved> saved_;
};

}  // namespace sim::guest
