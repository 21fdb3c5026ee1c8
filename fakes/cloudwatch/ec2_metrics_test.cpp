// EC2's own metrics, and alarms on them, without a socket.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fakes/cloudwatch/cloudwatch_for_test.h"

namespace fakes {
namespace {

using Json = nlohmann::json;

// A machine that trains until `training_until`.
struct WorkingBackend : CloudWatchBackend {
  WorkingBackend() {
    backend.find_work = [this](const sim::cloud::InstanceId&, sim::Time from, sim::Time to) {
      const sim::Time end = std::clamp(training_until, from, to);
      return sim::monitoring::MachineWork{.training = end - from};
    };
    cloudwatch("ListMetrics", Json::object());
  }
  // The datapoints of the first hour, as "MINUTE=AVERAGE (SAMPLECOUNT)".
  std::vector<std::string> points(const Json& of, int period,
                                  const std::string& metric = "CPUUtilization") const {
    const auto start = sim::seconds(kStart.time_since_epoch());
    const Json body =
        cloudwatch("GetMetricStatistics", {{"Namespace", "AWS/EC2"},
                                           {"MetricName", metric},
                                           {"Dimensions", of},
                                           {"StartTime", start},
                                           {"EndTime", start + 3600},
                                           {"Period", period},
                                           {"Statistics", {"SampleCount", "Average"}}})
            .body;
    std::vector<std::string> found;
    for (const Json& point : body["Datapoints"])
      found.push_back(fmt::format("{}={} ({})", (point["Timestamp"].get<double>() - start) / 60,
                                  point["Average"].get<double>(),
                                  point["SampleCount"].get<double>()));
    return found;
  }
  JsonAnswer cpu_alarm(const std::string& instance, const Json& more = Json::object()) const {
    Json body = {{"Namespace", "AWS/EC2"},
                 {"MetricName", "CPUUtilization"},
                 {"Period", 300},
                 {"AlarmActions", {kStop}}};
    body.update(more);
    return alarm(instance, body);
  }

  sim::Time training_until = kStart;
};

using Points = std::vector<std::string>;

TEST(Ec2Metrics, CpuUseHasADatapointOfFiveSamplesEveryFiveMinutes) {
  WorkingBackend t;
  t.training_until = kStart + 8min;
  const Json of = CloudWatchBackend::dimensions(t.instance());
  t.run(3min + 59s);
  EXPECT_EQ(t.points(of, 300), Points()) << "five minutes are not over";
  t.run(1s);
  EXPECT_EQ(t.points(of, 60), Points({"1=100 (5)"})) << "an m4.xlarge has no GPU";
  t.run(5min);
  EXPECT_EQ(t.points(of, 60), Points({"1=100 (5)", "6=40.3 (5)"})) << "two minutes of five";
  EXPECT_EQ(t.points(of, 3600), Points({"0=70.15 (10)"}));
}

TEST(Ec2Metrics, DetailedMonitoringHasADatapointEveryMinute) {
  WorkingBackend t;
  const Json of = CloudWatchBackend::dimensions(t.instance({{"Monitoring.Enabled", "true"}}));
  t.training_until = kStart + 3min;
  t.run(2min);
  EXPECT_EQ(t.points(of, 60), Points({"1=100 (1)", "2=100 (1)", "3=0.5 (1)"}));
}

TEST(Ec2Metrics, MonitoringMayBecomeDetailedAndBasicAgain) {
  WorkingBackend t;
  const std::string id = t.instance();
  const Json of = CloudWatchBackend::dimensions(id);
  t.run(4min);
  EXPECT_EQ(
      t.ec2("MonitorInstances", {{"InstanceId.1", id}}).at("instancesSet/item/monitoring/state"),
      "pending");
  EXPECT_EQ(t.ec2("DescribeInstances").at("reservationSet/item/instancesSet/item/monitoring/state"),
            "enabled");
  t.run(2min);
  EXPECT_EQ(
      t.ec2("UnmonitorInstances", {{"InstanceId.1", id}}).at("instancesSet/item/monitoring/state"),
      "disabling");
  t.run(5min);
  EXPECT_EQ(t.points(of, 60), Points({"1=0.5 (5)", "6=0.5 (1)", "7=0.5 (1)", "8=0.5 (5)"}));
  EXPECT_EQ(t.points(Json::array(), 60), Points({"6=0.5 (1)", "7=0.5 (1)"}))
      << "all instances together, while their monitoring was detailed";
}

TEST(Ec2Metrics, AnInstanceThatDoesNotRunHasNoValues) {
  WorkingBackend t;
  const std::string id = t.instance();
  const Json of = CloudWatchBackend::dimensions(id);
  t.run(6min);
  t.ec2("TerminateInstances", {{"InstanceId.1", id}});
  t.run(20min);
  EXPECT_EQ(t.points(of, 300), Points({"0=0.5 (5)", "5=0.5 (2)"})) << "of minutes 1 and 6";
  EXPECT_EQ(t.points(of, 3600, "StatusCheckFailed"), Points({"0=0 (7)"}));
  EXPECT_EQ(t.points(of, 300, "NetworkIn"), Points());
}

TEST(Ec2Metrics, GroupsCountAllTheirInstancesTypesAndImagesOnlyDetailedOnes) {
  WorkingBackend t;
  const std::string id = t.instance({{"Monitoring.Enabled", "true"}});
  t.instance();
  t.ec2("CreateTags", {{"ResourceId.1", id}, {"Tag.1.Key", "Name"}, {"Tag.1.Value", "x"}});
  t.run(2min);
  const auto count = [&](const char* name, const char* value) {
    return t.points(Json::array({{{"Name", name}, {"Value", value}}}), 3600);
  };
  EXPECT_EQ(count("InstanceType", "m4.xlarge"), Points({"0=0.5 (5)"}));
  EXPECT_EQ(count("ImageId", "ami-0123456789abcdef0"), Points({"0=0.5 (5)"}));
  EXPECT_EQ(t.points(Json::array(), 3600), Points({"0=0.5 (5)"}));
  EXPECT_EQ(count("InstanceType", "p3.2xlarge"), Points());
  EXPECT_EQ(count("AutoScalingGroupName", "g"), Points());
}

TEST(Ec2Metrics, AreListedWithTheirDimensions) {
  WorkingBackend t;
  const auto count = [&](const Json& asked) {
    return t.cloudwatch("ListMetrics", asked).body["Metrics"].size();
  };
  const std::string id = t.instance();
  EXPECT_EQ(count({{"Namespace", "AWS/EC2"}}), 4U);
  EXPECT_EQ(count({{"Dimensions", {{{"Name", "InstanceId"}, {"Value", id}}}}}), 4U);
  t.instance({{"Monitoring.Enabled", "true"}});
  EXPECT_EQ(count({{"MetricName", "CPUUtilization"}}), 5U)
      << "two instances, the image, the type, and all together";
}

TEST(Ec2Metrics, AnAlarmStopsAnInstanceWhenItsTrainingHasEnded) {
  WorkingBackend t;
  t.training_until = kStart + 21min;
  const std::string id = t.instance();
  ASSERT_EQ(t.cpu_alarm(id).status, 200);
  t.run(24min);
  EXPECT_EQ(t.state(), "OK");
  EXPECT_EQ(t.instance_state(id), "running") << "it has been idle for five minutes";
  t.run(6min);
  EXPECT_EQ(t.state(), "ALARM") << "two idle datapoints";
  EXPECT_EQ(t.instance_state(id), "stopped");
  EXPECT_EQ(t.count("alarm.action"), 1);
}

// The missing datapoints do not count, as in AWS's table of missing data ("- - X - -").
TEST(Ec2Metrics, AnAlarmWithAShorterPeriodThanBasicMonitoringActsOnOneDatapoint) {
  WorkingBackend t;
  const std::string id = t.instance();
  t.cpu_alarm(id, {{"Period", 60}, {"EvaluationPeriods", 3}});
  t.run(3min);
  EXPECT_EQ(t.instance_state(id), "running") << "there is no datapoint yet";
  t.run(5min);
  EXPECT_EQ(t.instance_state(id), "stopped");
}

}  // namespace
}  // namespace fakes
