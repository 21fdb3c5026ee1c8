#include "base/time/duration.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace base {
namespace {

using namespace std::chrono_literals;

TEST(ParseDuration, ReadsEveryUnitAndSumsThem) {
  EXPECT_EQ(parse_duration("90s"), 90s);
  EXPECT_EQ(parse_duration("2m"), 2min);
  EXPECT_EQ(parse_duration("1h30m"), 90min);
  EXPECT_EQ(parse_duration("0.5s"), 500ms);
  EXPECT_EQ(parse_duration("250ms"), 250ms);
  EXPECT_EQ(parse_duration("10us"), 10us);
  EXPECT_EQ(parse_duration("7ns"), 7ns);
  EXPECT_EQ(parse_duration("3d"), 72h);
  EXPECT_EQ(parse_duration("0s"), 0s);
  EXPECT_EQ(parse_duration("1m1ms"), 60001ms);
}

TEST(ParseDuration, RoundsToNanoseconds) {
  EXPECT_EQ(parse_duration("0.3333333333333333s"), 333'333'333ns);
  EXPECT_EQ(parse_duration("2.5ns"), 3ns);
  EXPECT_EQ(parse_duration("0.1us"), 100ns);
}

TEST(ParseDuration, APositiveOneIsNotZero) {
  EXPECT_EQ(parse_positive_duration("4.5s"), 4500ms);
  EXPECT_FALSE(parse_positive_duration("0s"));
  EXPECT_FALSE(parse_positive_duration("10"));
}

TEST(ParseDuration, RefusesWhatHasNoUnitIsNegativeOrDoesNotFit) {
  for (const char* text : {"",     "5",      "5 s",   "-5s",   "s",
                           "1h30", "1x",     "+5s",   "1e9s",  "nans",
                           "infs", "0x1s",   "1h-5m", "1..5s", "1.5.5s",
                           "-0s",  ".s",     "1 h",   "1H",    "99999999999999d",
                           "inf",  "300000d"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

TEST(FormatDuration, IsTheInverseOfTheParser) {
  EXPECT_EQ(format_duration(0s), "0s");
  EXPECT_EQ(format_duration(90min), "1h30m");
  EXPECT_EQ(format_duration(120500ms), "2m0.5s");
  EXPECT_EQ(format_duration(-90s), "-1m30s");
  std::mt19937_64 draw(8);
  for (int i = 0; i < 20'000; ++i) {
    // Up to three years, with as many digits as an int64 has.
    const std::chrono::nanoseconds d{static_cast<std::int64_t>(draw() >> (63 - i % 56))};
    ASSERT_EQ(parse_duration(format_duration(d)), d) << format_duration(d);
  }
}

}  // namespace
}  // namespace base
