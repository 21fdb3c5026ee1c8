// The orchestrator's clock. Its logic reads and spends time only through this seam.
#pragma once

#include <exception>

#include "client/clock.h"

namespace spotrun {

using client::Duration;
using client::iso_time;
using client::parse_iso_time;
using client::Time;

// This program was asked to end (SIGTERM, SIGINT): the machine is going down.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "asked to stop"; }
};

class Clock : public client::Clock {
 public:
  // A monotonic clock with any origin, for measuring durations. Unlike now(), it is never adjusted.
  virtual Duration elapsed() = 0;
  // Throws Stopped if a request to stop is pending or arrives. Each request is thrown once, so that
  // the clean-up can wait again.
  void sleep(Duration duration) override = 0;

  // ---- polling for changes by others
  //
  // A poll begins now.
  virtual void look() {}
  // Sleeps until the next poll, which begins then. A simulated clock may skip polls if it knows
  // when something changes, because each would take as long as the previous one and find the same.
  // It does not skip the first poll that ends at `until` or later, after which the caller may react
  // differently.
  virtual void sleep_between_looks(Duration interval, Time /*until*/) {
    sleep(interval);
    look();
  }
};

}  // namespace spotrun
