// A timer on virtual time: what a POSIX timer, a timerfd and ITIMER_REAL have in common.
#pragma once

#include <functional>
#include <optional>

#include "sim/kernel/simulation.h"

namespace sim::guest {

class VirtualTimer {
 public:
  struct Setting {
    Duration remaining{0};  // zero: not armed
    Duration interval{0};   // zero: once
  };

  explicit VirtualTimer(Simulation& simulation) : simulation_(&simulation) {}
  VirtualTimer(VirtualTimer&& other) = delete;
  ~VirtualTimer() { disarm(); }

  // Calls `expired` at `first` (now, when that is past), then every interval. `expired` may destroy
  // the timer.
  void arm(Time first, Duration interval, std::function<void()> expired);
  void disarm();
  Setting setting() const;

 private:
  void schedule(Time at);

  Simulation* simulation_;
  Time due_;
  Duration interval_{0};
  std::function<void()> expired_;
  std::optional<EventId> event_;
};

}  // namespace sim::guest
