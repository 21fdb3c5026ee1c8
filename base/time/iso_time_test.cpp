#include "base/time/iso_time.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string_view>

namespace base {
namespace {

using namespace std::chrono_literals;

const UtcTime kTen = std::chrono::sys_days{2019y / 11 / 5} + 10h;

TEST(ParseIsoTime, ReadsEveryFormThatItNames) {
  EXPECT_EQ(parse_iso_time("2019-11-05"), kTen - 10h);
  EXPECT_EQ(parse_iso_time("2019-11-05T10:00"), kTen);
  EXPECT_EQ(parse_iso_time("2019-11-05T10:00:00"), kTen);
  EXPECT_EQ(parse_iso_time("2019-11-05 10:00:00"), kTen);
  EXPECT_EQ(parse_iso_time("2019-11-05T10:00:00Z"), kTen);
  EXPECT_EQ(parse_iso_time("2019-11-05T10:00:00+00:00"), kTen);
  EXPECT_EQ(parse_iso_time("2019-11-05T11:30:00+01:30"), kTen);
  EXPECT_EQ(parse_iso_time("2019-11-05T02:00:00-0800"), kTen);
  EXPECT_EQ(parse_iso_time("2019-11-05T10:00:00.5Z"), kTen + 500ms);
  EXPECT_EQ(parse_iso_time("2019-11-05T10:00:00.000000001Z"), kTen + 1ns);
}

TEST(ParseIsoTime, KnowsLeapYearsAndTheEpoch) {
  EXPECT_EQ(parse_iso_time("1970-01-01T00:00:00Z"), UtcTime{});
  EXPECT_TRUE(parse_iso_time("2020-02-29"));
  EXPECT_FALSE(parse_iso_time("2019-02-29"));
  EXPECT_TRUE(parse_iso_time("2000-02-29"));
  EXPECT_FALSE(parse_iso_time("1900-02-29"));
  EXPECT_EQ(*parse_iso_time("1969-12-31T23:59:59.999999999Z"), UtcTime{} - 1ns);
}

TEST(ParseIsoTime, RefusesEverythingElse) {
  for (const char* text : {"",
                           "2019",
                           "2019-11",
                           "2019-11-",
                           "2019-11-5",
                           "2019-13-01",
                           "2019-00-01",
                           "2019-11-31",
                           "19-11-05",
                           "+2019-11-05",
                           "-2019-11-05",
                           "2019-11-05T",
                           "2019-11-05T10",
                           "2019-11-05T10:",
                           "2019-11-05T24:00:00",
                           "2019-11-05T10:60:00",
                           "2019-11-05T10:00:60",
                           "2019-11-05T10:00:00.",
                           "2019-11-05T10:00:00.1234567890",
                           "2019-11-05T10:00:00z",
                           "2019-11-05T10:00:00Zz",
                           "2019-11-05T10:00:00+24:00",
                           "2019-11-05T10:00:00+01:60",
                           "2019-11-05T10:00:00+1",
                           "2019-11-05T10:00:00 Z",
                           " 2019-11-05",
                           "2019-11-05 ",
                           "2019/11/05",
                           "0000-01-01",
                           "1677-01-01",
                           "2262-01-01",
                           "9999-12-31T23:59:59Z",
                           "2019-11-05T-1:00:00",
                           "tomorrow"}) {
    EXPECT_FALSE(parse_iso_time(text)) << text;
  }
  EXPECT_FALSE(parse_iso_time(std::string_view("2019-11-05\0", 11)));
}

TEST(ParseIsoTime, HoldsAtBothEndsOfItsYears) {
  for (const char* text : {"1678-01-01T00:00:00+23:59", "2261-12-31T23:59:59.999999999-23:59"}) {
    const auto t = parse_iso_time(text);
    ASSERT_TRUE(t) << text;
    EXPECT_GT(iso_time(*t, 0).size(), 0u);
  }
}

TEST(IsoTime, RoundTripsThroughTheParser) {
  std::mt19937_64 draw(7);
  for (int i = 0; i < 20'000; ++i) {
    // Anywhere within 290 years of the epoch, at any nanosecond.
    const auto day = std::chrono::days{static_cast<int>(draw() % (580 * 365)) - 290 * 365};
    const UtcTime t = UtcTime{day} + std::chrono::nanoseconds{
                                         static_cast<std::int64_t>(draw() % 86'400'000'000'000)};
    ASSERT_EQ(parse_iso_time(iso_time(t, 9)), t) << iso_time(t, 9);
    const auto ms = parse_iso_time(iso_time(t, 3)), s = parse_iso_time(iso_time(t, 0));
    ASSERT_TRUE(ms && s);
    ASSERT_TRUE(*ms <= t && t - *ms < 1ms) << iso_time(t, 9);
    ASSERT_TRUE(*s <= t && t - *s < 1s) << iso_time(t, 9);
  }
}

TEST(IsoTime, HasTheDigitsAskedForAndCutsOffTheRest) {
  const UtcTime t = kTen + 1999999ns;
  EXPECT_EQ(iso_time(t, 9), "2019-11-05T10:00:00.001999999Z");
  EXPECT_EQ(iso_time(t, 3), "2019-11-05T10:00:00.001Z");
  EXPECT_EQ(iso_time(t, 0), "2019-11-05T10:00:00Z");
  EXPECT_EQ(iso_time(UtcTime{} - 1ns, 3), "1969-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace base
