// The orchestrator's clock. All code that reads or waits for time uses this interface.
#pragma once

#include <exception>

#include "client/clock.h"

namespace spotrun {

using client::Duration;
using client::iso_time;
using client::parse_iso_time;
using client::Time;

// A signal has asked this program to end (SIGTERM, SIGINT), because the machine shuts down.
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

  // ---- polling for changes made by others
  //
  // Marks the begin of a poll.
  virtual void look() {}
  // Sleeps until the next poll, which begins then. A simulated clock may skip polls if it knows
  // when something changes, because each would take the same time and have the same result. It does
  // not skip the first poll that ends at `until` or later, because the caller may then react
  // differently.
  virtual void sleep_between_looks(Duration interval, Time /*until*/) {
    sleep(interval);
    look();
  }
};

}  // namespace spotrun
