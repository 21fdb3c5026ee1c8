// A training's own measurements, for checkpoint policies. It has no clock: callers pass the times.
#pragma once

#include <cstdint>
#include <optional>

#include "policies/checkpoint/state.h"

namespace spottrain {

// Owns the measurements of one process. Values that were not measured yet stay empty.
class Meter {
 public:
  // The measurements that are known after a step and a checkpoint.
  static constexpr policies::Input kSupplied[] = {
      policies::Input::step_time, policies::Input::checkpoint_cost, policies::Input::persist_time,
      policies::Input::checkpoint_bytes, policies::Input::write_speed};

  // Records the computing time of a step.
  void stepped(policies::Duration time);
  // Records a full checkpoint. It stopped training for `stall`, and was durable `persist` after its
  // begin.
  void saved(policies::Duration stall, policies::Duration persist, std::uint64_t bytes);

  // Sets the fields of kSupplied. The step time is a moving average (0.2 of the newest); the other
  // values come from the last checkpoint.
  void fill(policies::CheckpointState& state) const;

 private:
  struct Saved {
    policies::Duration stall, persist;
    std::uint64_t bytes;
  };
  std::optional<policies::Duration> step_time_;
  std::optional<Saved> saved_;
};

}  // namespace spottrain
