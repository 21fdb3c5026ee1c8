#include "sim/serve/pace.h"

#include <gtest/gtest.h>

namespace sim::serve {
namespace {

const Time kNoon = parse_time("2019-11-05T12:00:00Z").value();
constexpr RealTime kBoot = 5'000s;  // an arbitrary reading of a real clock

Pace paced(const char* speed) { return {parse_speed(speed).value(), kNoon, kBoot}; }

TEST(Speeds, AreTimesMaxOrManual) {
  for (const char* text : {"1x", "60x", "0.5x", "1e+06x", "max", "manual"})
    EXPECT_EQ(to_string(parse_speed(text).value()), text);
  for (const char* text : {"", "x", "0x", "-1x", "60", "60X", "nanx", "infx", "1000001x", "1x "})
    EXPECT_FALSE(parse_speed(text)) << text;
}

TEST(APace, FollowsTheRealClockTimesItsSpeed) {
  EXPECT_EQ(paced("1x").at(kBoot), kNoon);
  EXPECT_EQ(paced("1x").at(kBoot + 1500ms), kNoon + 1500ms);
  EXPECT_EQ(paced("60x").at(kBoot + 1500ms), kNoon + 90s);
  EXPECT_EQ(paced("0.5x").at(kBoot + 3s), kNoon + 1500ms);
}

TEST(APace, ReportsTheTimeUntilAnInstant) {
  EXPECT_EQ(paced("1x").until(kNoon + 2s, kBoot + 500ms), 1500ms);
  EXPECT_EQ(paced("60x").until(kNoon + 2min, kBoot + 500ms), 1500ms);
  EXPECT_EQ(paced("60x").until(kNoon, kBoot + 1s), 0s);
}

TEST(APace, ReachesAnInstantWhenItsTimeHasPassed) {
  for (const char* speed : {"1x", "3x", "7.3x", "0.3x", "1e+06x"}) {
    const Pace pace = paced(speed);
    for (int i = 1; i < 200; ++i) {
      const Time t = kNoon + i * 997'123'457ns;
      const RealTime from = kBoot + i * 1'234'567ns;
      EXPECT_GE(pace.at(from + pace.until(t, from).value()), t) << speed << " " << i;
    }
  }
}

TEST(APace, StandsStillIfOnlyCallsMoveIt) {
  for (const char* speed : {"manual", "max"}) {
    const Pace pace = paced(speed);
    EXPECT_EQ(pace.at(kBoot + 100h), kNoon);
    EXPECT_FALSE(pace.until(kNoon + 1ns, kBoot));
    EXPECT_EQ(pace.until(kNoon, kBoot), 0s);
  }
}

TEST(APace, ContinuesFromWhereACallMovedIt) {
  Pace pace = paced("60x");
  pace.jump(kNoon + 3h, kBoot + 1s);
  EXPECT_EQ(pace.at(kBoot + 2s), kNoon + 3h + 1min);
  Pace manual = paced("manual");
  manual.jump(kNoon + 3h, kBoot + 1s);
  EXPECT_EQ(manual.at(kBoot + 9s), kNoon + 3h);
}

TEST(APace, NeverOverflows) {
  EXPECT_EQ(paced("1e+06x").at(kBoot + 24h * 3650), kNoon + 100 * 365 * 24h);
}

}  // namespace
}  // namespace sim::serve
