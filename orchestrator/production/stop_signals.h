// SIGTERM and SIGINT as a file descriptor, so that every wait of the program can end on them.
#pragma once

#include <csignal>

#include "orchestrator/seams/clock.h"

namespace spotrun {

// Only one object at a time. A signal handler counts up an event descriptor. A signalfd would not
// do, because it shows each process its own signals.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // Waits until `other` (-1: nothing) is readable, at most `timeout`. Throws Stopped when a signal
  // arrives first or is pending, once; true when `other` is readable.
  bool wait(int other, Duration timeout);

 private:
  bool take();

  int descriptor_;
  struct sigaction before_term_, before_int_;
};

}  // namespace spotrun
