// SIGTERM and SIGINT as a file descriptor, so that they end every wait of the program.
#pragma once

#include <csignal>

#include "orchestrator/seams/clock.h"

namespace spotrun {

// Only one object may exist at a time. A signal handler increments an event descriptor. A signalfd
// does not work here, because it shows each process its own signals.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // Waits until `other` is readable (-1: none), at most `timeout`, and returns true if it is.
  // Throws Stopped once if a signal is pending or arrives first.
  bool wait(int other, Duration timeout);

 private:
  bool take();

  int descriptor_;
  struct sigaction before_term_, before_int_;
};

}  // namespace spotrun
