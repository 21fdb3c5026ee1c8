// A program of a modelled machine: a fiber that waits on virtual time and can be asked to stop.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "orchestrator/seams/clock.h"
#include "sim/guest/fiber/quiet_poll.h"
#include "sim/kernel/fiber.h"

namespace sim::guest {

class Program {
 public:
  Program(Simulation& simulation, std::function<void()> body)
      : simulation_(simulation), fiber_(simulation, std::move(body)) {}

  // SIGTERM: the wait that the program is in, or its next one, throws spotrun::Stopped.
  void ask_to_stop() {
    stop_asked_ = true;
    fiber_.wake();
  }
  void wake() { fiber_.wake(); }
  // Something that a program can look at in the cloud is not as it was.
  void cloud_changed() {
    ++cloud_changes_;
    if (waits_for_change_) fiber_.wake();
  }

  // ---- inside
  // Until t, whatever comes: as a system call takes its time.
  void spend(Duration duration) { fiber_.pause_until(simulation_.now() + duration); }
  // Until t or until it is woken (true). Throws Stopped, once a request.
  bool wait_until(Time t) {
    throw_if_stopped();
    const bool woken = fiber_.wait_until(t);
    throw_if_stopped();
    return woken;
  }
  // Until the cloud changes, t comes (if given) or somebody asks to stop.
  void wait_for_change(std::optional<Time> t) {
    waits_for_change_ = true;
    if (t) {
      fiber_.wait_until(*t);
    } else {
      fiber_.wait();
    }
    waits_for_change_ = false;
  }
  std::uint64_t cloud_changes() const { return cloud_changes_; }
  bool stop_asked() const { return stop_asked_; }
  // For waits that look for themselves what woke them.
  Fiber& fiber() { return fiber_; }
  QuietPoll quiet_poll;

 private:
  void throw_if_stopped() {
    if (std::exchange(stop_asked_, false)) throw spotrun::Stopped();
  }

  Simulation& simulation_;
  std::uint64_t cloud_changes_ = 0;
  bool waits_for_change_ = false;
  bool stop_asked_ = false;
  Fiber fiber_;
};

}  // namespace sim::guest
