#include "trainer/spot/meter.h"

namespace spottrain {

void Meter::stepped(policies::Duration time) {
  step_time_ = step_time_ ? *step_time_ + (time - *step_time_) / 5 : time;
}

void Meter::saved(policies::Duration stall, policies::Duration persist, std::uint64_t bytes) {
  saved_ = {stall, persist, bytes};
}

void Meter::fill(policies::CheckpointState& state) const {
  state.step_time = step_time_;
  if (!saved_) return;
  state.checkpoint_cost = saved_->stall;
  state.persist_time = saved_->persist;
  state.checkpoint_bytes = saved_->bytes;
  const double seconds = std::chrono::duration<double>(saved_->persist).count();
  if (seconds > 0) state.write_speed = static_cast<double>(saved_->bytes) / seconds;
}

}  // namespace spottrain
