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

TEST(CloudWatch, DeletesTheAlarmsThatExist) {
  CloudWatchBackend t;
  t.alarm("i-1", Json::object());
  EXPECT_EQ(t.cloudwatch("DeleteAlarms", {{"AlarmNames", {"none", "idle"}}}).status, 200);
  EXPECT_TRUE(t.cloudwatch("DescribeAlarms", Json::object()).body["MetricAlarms"].empty());
}

TEST(CloudWatch, LabelsOfDataNameWhatDiffers) {
  CloudWatchBackend t;
  const double now = sim::seconds(t.simulation.now().time_since_epoch());
  for (const char* const unit : {"Seconds", "Milliseconds"})
    t.cloudwatch("PutMetricData",
                 {{"Namespace", "GPU"},
                  {"MetricData", {{{"MetricName", "Use"}, {"Value", 1}, {"Unit", unit}}}}});
  const auto query = [](const char* id, const char* statistic, int period) {
    return Json{{"Id", id},
                {"MetricStat",
                 {{"Metric", {{"Namespace", "GPU"}, {"MetricName", "Use"}}},
                  {"Stat", statistic},
                  {"Period", period}}}};
  };
  const auto ask = [&](double from, double to, const Json& queries) {
    return t.cloudwatch("GetMetricData",
                        {{"StartTime", from}, {"EndTime", to}, {"MetricDataQueries", queries}});
  };
  const auto results = ask(now - 600, now + 600, {query("a", "Sum", 60), query("b", "Sum", 300)})
                           .body["MetricDataResults"];
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0]["Label"], "Use 60");
  EXPECT_EQ(results[1]["Label"], "Use 300");
  EXPECT_EQ(results[0]["Values"], Json::array({1.0})) << "of one unit";
  EXPECT_EQ(results[0]["Messages"][0]["Code"], "MultipleUnits");
  EXPECT_EQ(results[0]["Messages"][0]["Value"],
            "Multiple units returned: '[Milliseconds, Seconds]'");
  const auto one = ask(now - 600, now + 600, Json::array({query("a", "Sum", 60)}));
  EXPECT_EQ(one.body["MetricDataResults"][0]["Label"], "Use");
  for (const double to : {now, now - 60})
    EXPECT_NE(ask(now, to, Json::array({query("a", "Sum", 60)})).error().find("ValidationError: "),
              std::string::npos);
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
