// Blocking code on virtual time: a function with its own stack that is suspended while the clock
// moves. All fibers of a simulation share its thread, and one runs at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "sim/kernel/simulation.h"

namespace sim {

class Fiber {
 public:
  // `body` begins as an event of this instant. An exception of `body` leaves the Simulation::step()
  // that ran it.
  Fiber(Simulation& simulation, std::function<void()> body);
  // A body that has not ended is unwound: its destructors run, and it may not wait any more. Not
  // from inside the body (asserted).
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  bool done() const { return done_; }

  // ---- called inside the body
  //
  // Waits until t; wake() does not shorten it. If no event comes first, the wait costs no event:
  // the clock moves within the present Simulation::step().
  void pause_until(Time t);
  // Returns when wake() is called (true) or at t (false).
  bool wait_until(Time t);
  // Returns when wake() is called.
  void wait();

  // ---- called from other fibers and events
  //
  // Ends a wait, as an event of this instant. It has no effect without a wait, so the reason to
  // wake must be stored where the body checks it before it waits.
  void wake();

 private:
  struct Context;

  void resume();
  void suspend();
  void run();

  Simulation& simulation_;
  std::function<void()> body_;
  std::unique_ptr<Context> context_;
  std::optional<EventId> event_;  // what will resume it
  bool waiting_ = false;          // wake() counts
  bool woken_ = false;
  bool done_ = false;
  bool unwinding_ = false;
};

}  // namespace sim
