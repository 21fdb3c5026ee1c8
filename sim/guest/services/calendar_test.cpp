#include "sim/guest/services/calendar.h"

#include <gtest/gtest.h>
#include <time.h>

#include <string>

namespace sim::guest::services {
namespace {

// Whatever this machine's time zone is.
const bool kUtc = [] {
  setenv("TZ", "UTC", 1);
  tzset();
  return true;
}();

// Tuesday, in seconds since 1970.
constexpr long long kFrom = 1572948000;  // 2019-11-05 10:00:00

std::string next(const std::string& text, long long from = kFrom) {
  const auto calendar = Calendar::parse(text);
  const auto at = calendar ? calendar->next(from) : std::nullopt;
  if (!at) return calendar ? "never" : "wrong";
  tm parts{};
  const time_t seconds = *at;
  gmtime_r(&seconds, &parts);
  char out[64];
  return {out, strftime(out, sizeof out, "%a %F %T", &parts)};
}

// Not kept from before, and no time that has passed.
TEST(Calendar, FollowsTheTimeZoneAndTheEndOfSummerTime) {
  setenv("TZ", "America/New_York", 1);
  EXPECT_EQ(next("*:0/30"), "Tue 2019-11-05 10:30:00");
  EXPECT_EQ(next("daily"), "Wed 2019-11-06 05:00:00");
  constexpr long long kSecondTime = 1572762000;  // 2019-11-03 01:20:00 EST, after 01:59:59 EDT
  const auto at = Calendar::parse("*-*-* 01:30:00")->next(kSecondTime);
  EXPECT_GT(at.value(), kSecondTime);
  setenv("TZ", "UTC", 1);
  tzset();
}

// As systemd-analyze(1) of systemd 252 tells them.
TEST(Calendar, FindsTheNextTime) {
  EXPECT_EQ(next("minutely"), "Tue 2019-11-05 10:01:00");
  EXPECT_EQ(next("hourly"), "Tue 2019-11-05 11:00:00");
  EXPECT_EQ(next("daily"), "Wed 2019-11-06 00:00:00");
  EXPECT_EQ(next("weekly"), "Mon 2019-11-11 00:00:00");
  EXPECT_EQ(next("monthly"), "Sun 2019-12-01 00:00:00");
  EXPECT_EQ(next("quarterly"), "Wed 2020-01-01 00:00:00");
  EXPECT_EQ(next("*:0/10"), "Tue 2019-11-05 10:10:00");
  EXPECT_EQ(next("*-*-* *:5/15:30"), "Tue 2019-11-05 10:05:30");
  EXPECT_EQ(next("Mon..Fri 09:30"), "Wed 2019-11-06 09:30:00");
  EXPECT_EQ(next("Sat..Mon 09:30"), "Sat 2019-11-09 09:30:00");
  EXPECT_EQ(next("sat,Sunday *-*-* 12:00:00"), "Sat 2019-11-09 12:00:00");
  EXPECT_EQ(next("2019-11-05 10:00:01 UTC"), "Tue 2019-11-05 10:00:01");
  EXPECT_EQ(next("*-02-29 03:00"), "Sat 2020-02-29 03:00:00");
  EXPECT_EQ(next("10..12:00/30"), "Tue 2019-11-05 10:30:00");
  EXPECT_EQ(next("Mon"), "Mon 2019-11-11 00:00:00");
  EXPECT_EQ(next("05-01"), "Fri 2020-05-01 00:00:00");
}

TEST(Calendar, IsNeverWhereItIsOver) {
  EXPECT_EQ(next("2019-11-05 10:00:00"), "never");
  EXPECT_EQ(next("*-02-30"), "never");
}

TEST(Calendar, RefusesWhatIsNone) {
  for (const char* text : {"", "often", "*:*/5", "25:00", "10:60", "Mon..Frog", "1-2-3-4",
                           "10:", "UTC", "*-*~01", "10:00 Europe/Berlin"})
    EXPECT_EQ(next(text), "wrong") << text;
}

}  // namespace
}  // namespace sim::guest::services
