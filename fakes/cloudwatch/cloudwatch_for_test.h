// For tests: CloudWatch's requests without a socket, and the alarms and instances that they change.
#pragma once

#include <algorithm>
#include <string>

#include "fakes/json_for_test.h"

namespace fakes {

inline const std::string kStop = "arn:aws:automate:us-west-2:ec2:stop";

struct CloudWatchBackend : TestJson {
  using Json = nlohmann::json;

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

}  // namespace fakes
