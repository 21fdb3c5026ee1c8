// Alarms that act on instances, topics and the event bus, without a socket.
#include <gtest/gtest.h>

#include "fakes/json_for_test.h"

namespace fakes {
namespace {

using Json = nlohmann::json;

const std::string kStop = "arn:aws:automate:us-west-2:ec2:stop";

struct CloudWatchBackend : TestJson {
  JsonAnswer cloudwatch(const std::string& action, const Json& body) const {
    return ask(request("monitoring", "GraniteServiceVersion20100801." + action, body.dump()));
  }
  JsonAnswer put(const std::string& instance, double value) const {
    return cloudwatch(
        "PutMetricData",
        {{"Namespace", "GPU"},
         {"MetricData",
          {{{"MetricName", "Use"}, {"Value", value}, {"Dimensions", dimensions(instance)}}}}});
  }
  static Json dimensions(const std::string& instance) {
    return Json::array({{{"Name", "InstanceId"}, {"Value", instance}}});
  }
  // An alarm on the instance's GPU use: below 5 for two minutes.
  JsonAnswer alarm(const std::string& instance, const Json& more) const {
    Json body = {{"AlarmName", "idle"},
                 {"Namespace", "GPU"},
                 {"MetricName", "Use"},
                 {"Dimensions", dimensions(instance)},
                 {"Statistic", "Average"},
                 {"Period", 60},
                 {"EvaluationPeriods", 2},
                 {"Threshold", 5},
                 {"ComparisonOperator", "LessThanThreshold"}};
    body.update(more);
    return cloudwatch("PutMetricAlarm", body);
  }
  std::string state(const std::string& alarm_name = "idle") const {
    return cloudwatch("DescribeAlarms", {{"AlarmNames", {alarm_name}}})
        .body["MetricAlarms"][0]["StateValue"];
  }
  std::string instance_state(const std::string& id) const {
    return ec2("DescribeInstances", {{"InstanceId.1", id}})
        .at("reservationSet/item/instancesSet/item/instanceState/name");
  }
  int count(const std::string& kind) const {
    return static_cast<int>(std::ranges::count(events, kind, &sim::Event::kind));
  }
};

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
  t.alarm("i-1", {{"Namespace", "AWS/EC2"}, {"MetricName", "StatusCheckFailed"}});
  EXPECT_EQ(t.count("alarm.without-data"), 0);
  t.alarm("i-1", {{"Namespace", "AWS/EC2"}, {"MetricName", "CPUUtilization"}});
  t.alarm("i-1", {{"Namespace", "AWS/AutoScaling"}, {"MetricName", "GroupDesiredCapacity"}});
  EXPECT_EQ(t.count("alarm.without-data"), 2);
}

TEST(CloudWatch, StatusChecksPassEveryMinuteThatAnInstanceRuns) {
  CloudWatchBackend t;
  t.cloudwatch("ListMetrics", Json::object());
  const std::string id = t.instance();
  t.run(10min);
  t.ec2("TerminateInstances", {{"InstanceId.1", id}});
  t.run(10min);
  const auto asked = [&](const std::string& metric) {
    return t
        .cloudwatch("GetMetricStatistics",
                    {{"Namespace", "AWS/EC2"},
                     {"MetricName", metric},
                     {"Dimensions", CloudWatchBackend::dimensions(id)},
                     {"StartTime", sim::seconds(kStart.time_since_epoch())},
                     {"EndTime", sim::seconds(kStart.time_since_epoch()) + 3600},
                     {"Period", 3600},
                     {"Statistics", {"SampleCount", "Maximum"}}})
        .body["Datapoints"];
  };
  const auto checks = asked("StatusCheckFailed");
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks[0]["Maximum"], 0);
  EXPECT_GE(checks[0]["SampleCount"], 10);
  EXPECT_LE(checks[0]["SampleCount"], 13);
  EXPECT_EQ(asked("CPUUtilization").size(), 0U);
}

}  // namespace
}  // namespace fakes
