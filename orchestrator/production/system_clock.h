// The machine's clock.
#pragma once

#include "orchestrator/production/stop_signals.h"
#include "orchestrator/seams/clock.h"

namespace spotrun {

class SystemClock : public Clock {
 public:
  explicit SystemClock(StopSignals& signals) : signals_(signals) {}
  Time now() override { return std::chrono::floor<Duration>(std::chrono::system_clock::now()); }
  Duration elapsed() override {
    return std::chrono::floor<Duration>(std::chrono::steady_clock::now().time_since_epoch());
  }
  void sleep(Duration duration) override { signals_.wait(-1, duration); }

 private:
  StopSignals& signals_;
};

}  // namespace spotrun
