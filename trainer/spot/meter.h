// A training's own measurements, for checkpoint policies. It has no clock: callers pass the times.
#pragma once

#include <cstdint>
#include <optional>

#include "policies/checkpoint/state.h"

namespace spottrain {

class Meter {
 public:
  // The measurements that exist after a step and a checkpoint.
  static constexpr policies::Input kSupplied[] = {
      policies::Input::step_time, policies::Input::checkpoint_cost, policies::Input::persist_time,
      policies::Input::checkpoint_bytes, policies::Input::write_speed};

  // A step took this long to compute.
  void stepped(policies::Duration time);
  // A full checkpoint stopped training for `stall` and was durable `persist` after it had begun.
  void saved(policies::Duration stall, policies::Duration persist, std::uint64_t bytes);

  // Sets the fields of kSupplied: the step time as a moving average (0.2 of the newest), the others
  // as the last checkpoint had them.
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
