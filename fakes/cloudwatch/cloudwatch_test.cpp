// Alarms that act on instances, topics and the event bus, without a socket.
#include <gtest/gtest.h>

#include "fakes/cloudwatch/cloudwatch_for_test.h"

namespace fakes {
namespace {

using Json = nlohmann::json;

TEST(CloudWatch, AnIdleInstanceIsStoppedOnce) {
  CloudWatchBackend t;
  const std::string id = t.instance();
  ASSERT_EQ(t.alarm(id, {{"AlarmActions", {kStop}}}).status, 200);
  for (const double value : {80.0, 90.0, 3.0}) {
    t.put(id, value);
    t.run(1min);
  }
  EXPECT_EQ(t.state(), "OK");
  EXPECT_EQ(t.instance_state(id), "running");
  t.put(id, 1);
  t.run(3min);
  EXPECT_EQ(t.state(), "ALARM");
  EXPECT_EQ(t.instance_state(id), "stopped");
  EXPECT_EQ(t.count("alarm.action"), 1);
  t.run(30min);
  EXPECT_EQ(t.state(), "INSUFFICIENT_DATA") << "nobody puts values any more";
  EXPECT_EQ(t.count("alarm.action"), 1);
}

TEST(CloudWatch, DisabledActionsAreNotPerformed) {
  CloudWatchBackend t;
  const std::string id = t.instance();
  t.alarm(id, {{"AlarmActions", {kStop}}, {"ActionsEnabled", false}});
  EXPECT_EQ(t.cloudwatch("SetAlarmState",
                         {{"AlarmName", "idle"}, {"StateValue", "ALARM"}, {"StateReason", "drill"}})
                .status,
            200);
  EXPECT_EQ(t.instance_state(id), "running");
  EXPECT_EQ(t.count("alarm.state"), 1);
  EXPECT_EQ(t.count("alarm.action"), 0);
}

TEST(CloudWatch, AFailedActionIsInTheHistory) {
  CloudWatchBackend t;
  t.alarm("i-00000000000000000", {{"AlarmActions", {kStop}}});
  t.cloudwatch("SetAlarmState",
               {{"AlarmName", "idle"}, {"StateValue", "ALARM"}, {"StateReason", "drill"}});
  const auto items = t.cloudwatch("DescribeAlarmHistory", {{"HistoryItemType", "Action"}})
                         .body["AlarmHistoryItems"];
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0]["HistorySummary"], "Failed to execute action " + kStop);
}

TEST(CloudWatch, AReplacedAlarmKeepsItsState) {
  CloudWatchBackend t;
  t.alarm("i-1", {{"TreatMissingData", "breaching"}});
  t.run(2min);
  EXPECT_EQ(t.state(), "ALARM");
  t.alarm("i-1", {{"TreatMissingData", "ignore"}});
  t.run(10min);
  EXPECT_EQ(t.state(), "ALARM");
  EXPECT_EQ(t.cloudwatch("DeleteAlarms", {{"AlarmNames", {"idle"}}}).status, 200);
  t.run(10min);
  EXPECT_EQ(t.count("alarm.state"), 1);
}

TEST(CloudWatch, AnAlarmOfAMetricThatHasNoDataIsReported) {
  CloudWatchBackend t;
  t.alarm("i-1", Json::object());
  for (const char* const metric : {"StatusCheckFailed", "CPUUtilization"})
    t.alarm("i-1", {{"Namespace", "AWS/EC2"}, {"MetricName", metric}});
  EXPECT_EQ(t.count("alarm.without-data"), 0);
  t.alarm("i-1", {{"Namespace", "AWS/EC2"}, {"MetricName", "NetworkIn"}});
  t.alarm("i-1", {{"Namespace", "AWS/AutoScaling"}, {"MetricName", "GroupDesiredCapacity"}});
  EXPECT_EQ(t.count("alarm.without-data"), 2);
}

}  // namespace
}  // namespace fakes
