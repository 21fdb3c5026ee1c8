// A program of a modelled machine: a fiber that waits on virtual time and can be asked to stop, and
// what it need not look at.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "orchestrator/seams/clock.h"
#include "sim/kernel/fiber.h"

namespace sim::guest {

// Polls that find nothing need not be made. A program that waits, looks, and waits again as long
// does the same until something that it looks at changes; so the looks in between are skipped, and
// the wait ends where the first look that would find something begins.
class QuietPoll {
 public:
  // ---- what the program does
  // A wait for the trainer ended by its time.
  void timed_out(Time now, Duration timeout) {
    quiet_ = true, timeout_ = timeout, ended_ = now, seen_ = changes_;
  }
  // Anything but asking the metadata service for what is not there.
  void acted() { quiet_ = false; }

  // ---- what it looks at
  // Something new is in the instance's metadata.
  void changed() { ++changes_; }
  bool has_changed() const { return seen_ != changes_; }

  // Whether a wait that begins now is the same as the last one, with nothing found in between.
  bool repeats(Duration timeout) const {
    return quiet_ && timeout == timeout_ && !has_changed() && timeout > Duration{};
  }
  // Waits and looks as they would be, from a wait that begins at `begin`.
  class Rhythm {
   public:
    Rhythm(Time begin, Duration timeout, Duration look)
        : begin_(begin), timeout_(timeout), look_(look) {}
    // The beginning of the first look that ends at t or later, and so finds a change at t.
    Time first_look_after(Time t) const {
      const Duration past = t - begin_ - timeout_ - look_, cycle = timeout_ + look_;
      const auto cycles = past <= Duration{} ? 0 : (past + cycle - Duration{1}) / cycle;
      return begin_ + cycles * cycle + timeout_;
    }
    // When the wait at t, or the wait after the look at t, would notice that it is over.
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
  // For waits with several possible causes of waking.
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
