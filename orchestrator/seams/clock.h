// Time as the orchestrator sees it. Its logic reads and spends time only through this seam.
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
  // Throws Stopped when a request to stop arrives or is pending; each request is thrown once, so
  // that the cleaning up after it can wait again.
  void sleep(Duration duration) override = 0;

  // ---- looking again and again at what others change
  // A look begins now.
  virtual void look() {}
  // Sleeps until the next look, which begins. Where it is known when something changes, the looks
  // in between need not be made: each would take as long as the one before and find the same, but
  // for the first at whose end it is `until`, from when on it may be taken otherwise.
  virtual void sleep_between_looks(Duration interval, Time /*until*/) {
    sleep(interval);
    look();
  }
};

}  // namespace spotrun
