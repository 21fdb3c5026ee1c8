// A trainer that makes no progress any more.
#pragma once

#include <optional>
#include <string>

#include "orchestrator/context.h"

namespace spotrun {

// Detects a hung trainer: nothing in its checkpoints' folder has changed for `timeout`. Without a
// timeout it detects nothing.
class Watchdog {
 public:
  // `folder`: a path for Machine.
  Watchdog(const InstanceContext& context, std::optional<Duration> timeout, std::string folder)
      : context_(context), timeout_(timeout), folder_(std::move(folder)) {}

  // The trainer has just been started.
  void begins() {
    if (!timeout_) return;
    seen_ = context_.machine.state_of(folder_);
    changed_ = context_.clock.elapsed();
  }
  // Polls the folder. True if the trainer hangs.
  bool hung() {
    if (!timeout_) return false;
    const Duration now = context_.clock.elapsed();
    if (std::string state = context_.machine.state_of(folder_); state != seen_) {
      seen_ = std::move(state);
      changed_ = now;
    }
    return now >= changed_ + *timeout_;
  }
  // When hung() can be true at the earliest, if nothing changes.
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
