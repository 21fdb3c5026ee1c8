// Tests only: Auto Scaling without a socket.
#pragma once

#include "fakes/backend_for_test.h"

namespace fakes {

struct AutoscalingBackend : TestBackend {
  static Request request(const std::string& form) {
    return post(
        form,
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/autoscaling/aws4_request, "
        "SignedHeaders=host, Signature=00");
  }
  // Text below ACTIONResult: at("AutoScalingGroups/member/MinSize").
  struct Reply : Answer {
    explicit Reply(Answer&& answer, const std::string& action)
        : Answer(std::move(answer)), result(action + "Result/") {}
    std::string at(const std::string& path) const { return Answer::at(result + path); }
    std::vector<std::string> all(const std::string& path) const {
      return Answer::all(result + path);
    }
    std::string error() const {
      return Answer::at("Error/Code") + ": " + Answer::at("Error/Message");
    }
    std::string result;
  };
  Reply ask(const std::string& action, const Fields& fields = {}) const {
    std::string body = "Action=" + action + "&Version=2011-01-01";
    for (const auto& [name, value] : fields) body += "&" + name + "=" + url_encode(value);
    return Reply(send(request(body)), action);
  }

  void configuration(const Fields& more = {}) const {
    Fields fields{{"LaunchConfigurationName", "lc"},
                  {"ImageId", "ami-0123456789abcdef0"},
                  {"InstanceType", "p3.2xlarge"}};
    fields.insert(fields.end(), more.begin(), more.end());
    ASSERT_EQ(ask("CreateLaunchConfiguration", fields).status(), 200);
  }
  // A group of one instance in us-west-2a and 2b, in service.
  std::string group(const Fields& more = {}) {
    Fields fields{{"AutoScalingGroupName", "g"},
                  {"LaunchConfigurationName", "lc"},
                  {"MinSize", "0"},
                  {"MaxSize", "3"},
                  {"DesiredCapacity", "1"},
                  {"AvailabilityZones.member.1", "us-west-2a"},
                  {"AvailabilityZones.member.2", "us-west-2b"}};
    fields.insert(fields.end(), more.begin(), more.end());
    const auto made = ask("CreateAutoScalingGroup", fields);
    EXPECT_EQ(made.status(), 200) << made.body();
    run(2min);
    return ask("DescribeAutoScalingInstances").at("AutoScalingInstances/member/InstanceId");
  }
  std::string state() const {
    return ask("DescribeAutoScalingInstances").at("AutoScalingInstances/member/LifecycleState");
  }
};

}  // namespace fakes
