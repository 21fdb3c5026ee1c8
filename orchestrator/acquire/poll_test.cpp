#include <gtest/gtest.h>

#include "orchestrator/seams/fakes_for_test.h"
#include "orchestrator/waiting.h"

namespace spotrun {
namespace {

// Skips polls that would find nothing, as a fiber guest's clock does. A change comes after half an
// hour.
struct SkippingClock : testing::FakeClock {
  void sleep_between_looks(Duration interval, Time until) override {
    sleep(until == Time::max() ? std::chrono::minutes{30} : until - now());
    (void)interval;
  }
};

TEST(Poll, AWaitThatAsksHowLongItHasLastedMissesNoLook) {
  SkippingClock clock;
  const Time begin = clock.time;
  Poll poll(clock);
  while (poll.waited() < std::chrono::minutes{5}) poll.wait_for_change();
  EXPECT_EQ(clock.time - begin, std::chrono::minutes{5});
  EXPECT_EQ(clock.sleeps.size(), 12u + 16u);  // every 5 s in the first minute, then every 15 s
}

TEST(Poll, AWaitThatDoesNotAskSkipsLooksThatFindNothing) {
  SkippingClock clock;
  Poll poll(clock);
  for (int looks = 0; looks < 2; ++looks) poll.wait_for_change();
  EXPECT_EQ(clock.sleeps.size(), 2u);
}

}  // namespace
}  // namespace spotrun
