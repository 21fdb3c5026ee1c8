#include "sim/guest/services/timers.h"

#include <gtest/gtest.h>

#include "sim/guest/services/clock.h"

namespace sim::guest::services {
namespace {

constexpr long long kOneSecond = 1000000000;

UnitFile timer_of(TimerRule::Base base, long long seconds) {
  UnitFile file;
  file.timer_rules.push_back(
      {.base = base, .after = std::chrono::nanoseconds(seconds * kOneSecond), .calendar = {}});
  return file;
}

// A service that cannot be started, as at systemd's limit of starts, stays unchanged.
TEST(Timers, AStartThatChangesNothingIsNotTriedAgainAtOnce) {
  for (const auto base : {TimerRule::kUnitActive, TimerRule::kUnitInactive}) {
    int starts = 0;
    const long long long_ago = now() - 100 * kOneSecond;
    Timers timers([&](const std::string&) { ++starts; },
                  [&](const std::string&) -> ServiceTimes {
                    return {.busy = false, .activated = long_ago, .deactivated = long_ago};
                  });
    timers.start("a.timer", timer_of(base, 60));
    timers.wake();
    timers.wake();
    EXPECT_EQ(starts, 1);
    EXPECT_GT(timers.due().value(), now());
  }
}

TEST(Timers, AServiceStartedByOthersCounts) {
  ServiceTimes service;
  Timers timers([](const std::string&) {}, [&](const std::string&) { return service; });
  timers.start("a.timer", timer_of(TimerRule::kUnitActive, 60));
  EXPECT_FALSE(timers.due()) << "it has never run";
  service.activated = now();
  timers.wake();
  EXPECT_EQ(timers.due(), service.activated + 60 * kOneSecond);
}

TEST(Timers, NoServiceIsStartedWithoutEndInOneInstant) {
  int starts = 0;
  Timers timers(
      [&](const std::string&) { ++starts; },
      [&](const std::string&) { return ServiceTimes{.busy = false, .activated = now()}; });
  timers.start("a.timer", timer_of(TimerRule::kUnitActive, 0));
  for (int i = 0; i < 100; ++i) timers.wake();
  EXPECT_EQ(starts, 0);
}

}  // namespace
}  // namespace sim::guest::services
