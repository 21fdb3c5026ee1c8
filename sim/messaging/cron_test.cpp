#include "sim/messaging/cron.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sim::messaging {
namespace {

using namespace std::chrono;

// The next times after the start of Tuesday, 5 November 2019.
std::vector<std::string> times(const char* fields, int count) {
  const auto cron = Cron::parse(fields);
  EXPECT_TRUE(cron) << fields;
  std::vector<std::string> list;
  Time now{sys_days(2019y / November / 5).time_since_epoch()};
  for (int i = 0; cron && i < count; ++i) {
    const auto next = cron->next_after(now);
    list.push_back(next ? iso_seconds(*next).substr(0, 16) : "never");
    if (!next) break;
    now = *next;
  }
  return list;
}

using Times = std::vector<std::string>;

TEST(Cron, FollowsTheExamplesOfTheUserGuide) {
  EXPECT_EQ(times("0 10 * * ? *", 2), (Times{"2019-11-05T10:00", "2019-11-06T10:00"}));
  EXPECT_EQ(times("15 12 * * ? *", 1), (Times{"2019-11-05T12:15"}));
  EXPECT_EQ(times("0 18 ? * MON-FRI *", 5)[4], "2019-11-11T18:00");
  EXPECT_EQ(times("0 8 1 * ? *", 2), (Times{"2019-12-01T08:00", "2020-01-01T08:00"}));
  EXPECT_EQ(times("0/15 * * * ? *", 4)[3], "2019-11-05T01:00") << "midnight itself has passed";
  EXPECT_EQ(times("0/5 8-17 ? * MON-FRI *", 121)[120], "2019-11-06T08:00");
}

TEST(Cron, LIsTheLastDayOfAMonthOrAWeek) {
  EXPECT_EQ(times("0 0 L * ? *", 4), (Times{"2019-11-30T00:00", "2019-12-31T00:00",
                                            "2020-01-31T00:00", "2020-02-29T00:00"}));
  EXPECT_EQ(times("0 0 ? * L *", 1), (Times{"2019-11-09T00:00"})) << "a Saturday";
  EXPECT_EQ(times("0 0 ? * 6L *", 2), (Times{"2019-11-29T00:00", "2019-12-27T00:00"}));
  EXPECT_EQ(times("0 0 ? * FRIL *", 1), (Times{"2019-11-29T00:00"}));
}

TEST(Cron, WIsTheNearestWeekdayOfTheSameMonth) {
  EXPECT_EQ(times("0 0 16W 11 ? *", 1), (Times{"2019-11-15T00:00"})) << "the 16th is a Saturday";
  EXPECT_EQ(times("0 0 17W 11 ? *", 1), (Times{"2019-11-18T00:00"})) << "the 17th is a Sunday";
  EXPECT_EQ(times("0 0 1W 2 ? *", 1), (Times{"2020-02-03T00:00"})) << "the first is a Saturday";
  EXPECT_EQ(times("0 0 31W 5 ? *", 1), (Times{"2020-05-29T00:00"})) << "the last is a Sunday";
  EXPECT_EQ(times("0 0 LW * ? *", 1), (Times{"2019-11-29T00:00"})) << "the 30th is a Saturday";
}

TEST(Cron, ASharpIsTheNthWeekday) {
  EXPECT_EQ(times("0 0 ? * 3#2 *", 2), (Times{"2019-11-12T00:00", "2019-12-10T00:00"}));
  EXPECT_EQ(times("0 0 ? * FRI#5 *", 1), (Times{"2019-11-29T00:00"}));
}

TEST(Cron, AYearOrADayThatNeverComesHasNoTime) {
  EXPECT_EQ(times("0 0 1 1 ? 2018", 1), (Times{"never"}));
  EXPECT_EQ(times("0 0 30 2 ? *", 1), (Times{"never"}));
  EXPECT_EQ(times("0 0 29 2 ? *", 2), (Times{"2020-02-29T00:00", "2024-02-29T00:00"}));
  EXPECT_EQ(times("59 23 31 DEC ? 2019/2", 2), (Times{"2019-12-31T23:59", "2021-12-31T23:59"}));
}

TEST(Cron, AStepBeyondTheFieldHasOneValue) {
  EXPECT_EQ(times("5/100 0 * * ? *", 2), (Times{"2019-11-05T00:05", "2019-11-06T00:05"}));
}

TEST(Cron, RefusesOtherTexts) {
  for (const char* text : {"",
                           "* * * * *",
                           "* * * * ? * *",
                           "* * * * * *",
                           "* * ? * ? *",
                           "60 * * * ? *",
                           "* 24 * * ? *",
                           "* * 0 * ? *",
                           "* * 32 * ? *",
                           "* * * 13 ? *",
                           "* * ? * 8 *",
                           "* * * * ? 1969",
                           "* * * * ? 2200",
                           "0/0 * * * ? *",
                           "5-1 * * * ? *",
                           "1,,2 * * * ? *",
                           "? * * * ? *",
                           "* * * * ? ?",
                           "* * ? * 3#6 *",
                           "* * ? * 3#1,4#1 *",
                           "* * W * ? *",
                           "* * ? * MONDAY *",
                           "L * * * ? *",
                           "-1 * * * ? *",
                           "1- * * * ? *",
                           "1/ * * * ? *"})
    EXPECT_FALSE(Cron::parse(text)) << text;
}

}  // namespace
}  // namespace sim::messaging
