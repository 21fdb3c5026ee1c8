#include "sim/kernel/time.h"

#include <gtest/gtest.h>

#include <string_view>

#include "sim/kernel/random.h"

namespace sim {
namespace {

const Time kTen =
    Time{std::chrono::sys_days{std::chrono::year{2019} / 11 / 5}.time_since_epoch()} + 10h;

TEST(ParseTime, ReadsEveryFormThatItNames) {
  EXPECT_EQ(parse_time("2019-11-05"), kTen - 10h);
  EXPECT_EQ(parse_time("2019-11-05T10:00"), kTen);
  EXPECT_EQ(parse_time("2019-11-05T10:00:00"), kTen);
  EXPECT_EQ(parse_time("2019-11-05 10:00:00"), kTen);
  EXPECT_EQ(parse_time("2019-11-05T10:00:00Z"), kTen);
  EXPECT_EQ(parse_time("2019-11-05T10:00:00+00:00"), kTen);
  EXPECT_EQ(parse_time("2019-11-05T11:30:00+01:30"), kTen);
  EXPECT_EQ(parse_time("2019-11-05T02:00:00-0800"), kTen);
  EXPECT_EQ(parse_time("2019-11-05T10:00:00.5Z"), kTen + 500ms);
  EXPECT_EQ(parse_time("2019-11-05T10:00:00.000000001Z"), kTen + 1ns);
}

TEST(ParseTime, KnowsLeapYearsAndTheEpoch) {
  EXPECT_EQ(parse_time("1970-01-01T00:00:00Z"), Time{});
  EXPECT_TRUE(parse_time("2020-02-29"));
  EXPECT_FALSE(parse_time("2019-02-29"));
  EXPECT_TRUE(parse_time("2000-02-29"));
  EXPECT_FALSE(parse_time("1900-02-29"));
  EXPECT_EQ(*parse_time("1969-12-31T23:59:59.999999999Z"), Time{} - 1ns);
}

TEST(ParseTime, RefusesEverythingElse) {
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
    EXPECT_FALSE(parse_time(text)) << text;
  }
  EXPECT_FALSE(parse_time(std::string_view("2019-11-05\0", 11)));
}

TEST(ParseTime, HoldsAtBothEndsOfItsYears) {
  for (const char* text : {"1678-01-01T00:00:00+23:59", "2261-12-31T23:59:59.999999999-23:59"}) {
    const auto t = parse_time(text);
    ASSERT_TRUE(t) << text;
    EXPECT_GT(iso_seconds(*t).size(), 0u);
  }
}

TEST(FormatTime, RoundTripsThroughTheParser) {
  Stream draw(7);
  for (int i = 0; i < 20'000; ++i) {
    // Anywhere within 290 years of the epoch, at any nanosecond.
    const int day = static_cast<int>(draw.below(580 * 365)) - 290 * 365;
    const Time t =
        Time{} + std::chrono::days{day} + std::chrono::nanoseconds{draw.below(86'400'000'000'000)};
    ASSERT_EQ(parse_time(iso_nanoseconds(t)), t) << iso_nanoseconds(t);
    const auto ms = parse_time(iso_milliseconds(t)), s = parse_time(iso_seconds(t));
    ASSERT_TRUE(ms && s);
    ASSERT_TRUE(*ms <= t && t - *ms < 1ms) << iso_nanoseconds(t);
    ASSERT_TRUE(*s <= t && t - *s < 1s) << iso_nanoseconds(t);
  }
}

TEST(FormatTime, HasTheFormsOfLogEc2AndMetadata) {
  const Time t = kTen + 1234567ns;
  EXPECT_EQ(iso_nanoseconds(t), "2019-11-05T10:00:00.001234567Z");
  EXPECT_EQ(iso_milliseconds(t), "2019-11-05T10:00:00.001Z");
  EXPECT_EQ(iso_seconds(t), "2019-11-05T10:00:00Z");
}

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
  Stream draw(8);
  for (int i = 0; i < 20'000; ++i) {
    // Up to three years, with as many digits as an int64 has.
    const Duration d{static_cast<std::int64_t>(draw.below(std::uint64_t{1} << (1 + i % 56)))};
    ASSERT_EQ(parse_duration(format_duration(d)), d) << format_duration(d);
  }
}

TEST(Seconds, RoundTrip) {
  EXPECT_EQ(from_seconds(1.5), 1500ms);
  EXPECT_EQ(from_seconds(-0.25), -250ms);
  EXPECT_DOUBLE_EQ(seconds(90min), 5400.0);
}

}  // namespace
}  // namespace sim
