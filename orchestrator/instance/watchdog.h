// Detects a trainer that makes no progress any more.
#pragma once

#include <optional>
#include <string>

#include "orchestrator/context.h"

namespace spotrun {

// A trainer hangs if nothing in its checkpoints' folder has changed for `timeout`. Without a
// timeout no hang is detected.
class Watchdog {
 public:
  // `folder` is a path for Machine.
  Watchdog(const InstanceContext& context, std::optional<Duration> timeout, std::string folder)
      : context_(context), timeout_(timeout), folder_(std::move(folder)) {}

  // Call it when the trainer has just been started.
  void begins() {
    if (!timeout_) return;
    seen_ = context_.machine.state_of(folder_);
    changed_ = context_.clock.elapsed();
  }
  // Polls the folder. Returns true if the trainer hangs.
  bool hung() {
    if (!timeout_) return false;
    const Duration now = context_.clock.elapsed();
    if (std::string state = context_.machine.state_of(folder_); state != seen_) {
      seen_ = std::move(state);
      changed_ = now;
    }
    return now >= changed_ + *timeout_;
  }
  // The earliest time at which hung() can be true, if nothing changes.
  Time due() const {
    if (!timeout_) return Time::max();
    return context_.clock.now() + (changed_ + *timeout_ - context_.clock.elapsed());
  }

 private:
  const InstanceContext& context_;
  std::optional<Duration> timeout_;
  std::string folder_, seen_;
  Duration changed_{};  // by Clock::elapsed()
};

}  // namespace spotrun
