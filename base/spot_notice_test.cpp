#include "base/spot_notice.h"

#include <gtest/gtest.h>

namespace base {
namespace {

using namespace std::chrono_literals;

TEST(InstanceAction, IsOneOfThreeActionsWithItsTime) {
  for (const std::string action : {"terminate", "stop", "hibernate"}) {
    const auto found =
        parse_instance_action(R"({"action": ")" + action + R"(", "time": "2017-09-18T08:22:00Z"})");
    ASSERT_TRUE(found) << action;
    EXPECT_EQ(found->action, action);
    EXPECT_EQ(found->time.time_since_epoch(), 1'505'722'920s);
  }
}

TEST(InstanceAction, AnythingElseIsNoNotice) {
  for (const char* body :
       {"", "<html>", "null", "[]", "\"terminate\"", "{}", R"({"action":"terminate")",
        // Another action, or none.
        R"({"action":"none","time":"2017-09-18T08:22:00Z"})",
        R"({"action":"Terminate","time":"2017-09-18T08:22:00Z"})",
        R"({"action":1,"time":"2017-09-18T08:22:00Z"})", R"({"time":"2017-09-18T08:22:00Z"})",
        // No time, or none that can be read.
        R"({"action":"terminate"})", R"({"action":"hibernate","time":""})",
        R"({"action":"terminate","time":null})", R"({"action":"terminate","time":1505722920})",
        R"({"action":"terminate","time":"in two minutes"})"}) {
    EXPECT_FALSE(parse_instance_action(body)) << body;
  }
}

TEST(RebalanceRecommendation, HasATime) {
  EXPECT_TRUE(is_rebalance_recommendation(R"({"noticeTime": "2020-11-05T08:22:00Z"})"));
  for (const char* body :
       {R"({"noticeTime": ""})", R"({"time": "2020-11-05T08:22:00Z"})", "<html>", "[]", ""}) {
    EXPECT_FALSE(is_rebalance_recommendation(body)) << body;
  }
}

}  // namespace
}  // namespace base
