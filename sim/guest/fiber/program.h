// A program of a modelled machine: a fiber that waits on virtual time and can be stopped. It also
// knows which polls would find nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "orchestrator/seams/clock.h"
#include "sim/kernel/fiber.h"

namespace sim::guest {

// Decides which polls can be skipped. A program repeats waits and polls until the polled state
// changes. So the polls in between are skipped, and the wait ends where the first successful poll
// begins.
class QuietPoll {
 public:
  // ---- actions of the program
  //
  // A wait for the trainer ended by its timeout.
  void timed_out(Time now, Duration timeout) {
    quiet_ = true, timeout_ = timeout, ended_ = now, seen_ = changes_;
  }
  // Any action other than a metadata request for something that does not exist.
  void acted() { quiet_ = false; }

  // ---- changes that it polls for
  //
  // The instance's metadata has something new.
  void changed() { ++changes_; }
  bool has_changed() const { return seen_ != changes_; }

  // True if a wait that begins now is like the last one, with unsuccessful polls in between.
  bool repeats(Duration timeout) const {
    return quiet_ && timeout == timeout_ && !has_changed() && timeout > Duration{};
  }
  // The times of waits and polls, from a wait that begins at `begin`.
  class Rhythm {
   public:
    Rhythm(Time begin, Duration timeout, Duration look)
        : begin_(begin), timeout_(timeout), look_(look) {}
    // The beginning of the first poll that ends at t or later, and so sees a change at t.
    Time first_look_after(Time t) const {
      const Duration past = t - begin_ - timeout_ - look_, cycle = timeout_ + look_;
      const auto cycles = past <= Duration{} ? 0 : (past + cycle - Duration{1}) / cycle;
      return begin_ + cycles * cycle + timeout_;
    }
    // The time at which the wait at t, or the one after the poll at t, would notice its end.
    Time noticed(Time t) const {
      const Duration cycle = timeout_ + look_, into = (t - begin_) % cycle;
      return into <= timeout_ ? t : t + (cycle - into);
    }

   private:
    Time begin_;
    Duration timeout_, look_;
  };
  Rhythm rhythm(Time begin) const { return {begin, timeout_, begin - ended_}; }

 private:
  bool quiet_ = false;
  Duration timeout_{};
  Time ended_{};
  std::uint64_t changes_ = 0, seen_ = 0;
};

class Program {
 public:
  Program(Simulation& simulation, std::function<void()> body)
      : simulation_(simulation), fiber_(simulation, std::move(body)) {}

  // SIGTERM: the program's present or next wait throws spotrun::Stopped.
  void ask_to_stop() {
    stop_asked_ = true;
    fiber_.wake();
  }
  void wake() { fiber_.wake(); }
  // The cloud has changed in a way that a program can see.
  void cloud_changed() {
    ++cloud_changes_;
    if (waits_for_change_) fiber_.wake();
  }

  // ---- inside the fiber
  //
  // Waits until t without interruption, like a system call.
  void spend(Duration duration) { fiber_.pause_until(simulation_.now() + duration); }
  // Waits until t, or until it is woken (true). Throws Stopped once per request to stop.
  bool wait_until(Time t) {
    throw_if_stopped();
    const bool woken = fiber_.wait_until(t);
    throw_if_stopped();
    return woken;
  }
  // Waits until the cloud changes, until t (if given), or until a request to stop.
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
  // For waits with several possible wake-ups.
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
