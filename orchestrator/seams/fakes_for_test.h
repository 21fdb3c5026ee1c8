// For tests: the orchestrator's clock, on which sleeping takes no time, and the fakes of client/.
#pragma once

#include <functional>
#include <vector>

#include "client/fakes_for_test.h"
#include "client/scripted_http_for_test.h"
#include "orchestrator/seams/clock.h"

namespace spotrun::testing {

using client::testing::environment_of;
using client::testing::kCredentials;
using client::testing::numbered_bits;
using client::testing::ScriptedHttp;
using client::testing::Variables;

struct FakeClock : Clock {
  Time time{std::chrono::sys_days{std::chrono::year{2019} / 11 / 5}};
  Duration set_by{};  // offset of `time`
  std::vector<Duration> sleeps;
  std::function<void()> on_sleep = [] {};
  Time now() override { return time; }
  Duration elapsed() override { return time.time_since_epoch() - set_by; }
  void sleep(Duration duration) override {
    sleeps.push_back(duration);
    time += duration;
    on_sleep();
  }
};

}  // namespace spotrun::testing
