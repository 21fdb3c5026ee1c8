// TerminateInstances, StopInstances, StartInstances and RebootInstances; MonitorInstances and
// UnmonitorInstances.
#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

TEST(Ec2StateChanges, NeedInstances) {
  TestBackend t;
  for (const char* action :
       {"RebootInstances", "StartInstances", "StopInstances", "TerminateInstances"}) {
    const Answer refused = t.ec2(action);
    EXPECT_EQ(refused.code(), "InvalidParameterCombination") << action;
    EXPECT_EQ(refused.message(), "No instances specified") << action;
  }
}

TEST(Ec2StateChanges, NameAllUnknownInstances) {
  TestBackend t;
  const std::string known = t.instance();
  for (const char* action :
       {"DescribeInstances", "DescribeInstanceStatus", "MonitorInstances", "RebootInstances",
        "StartInstances", "StopInstances", "TerminateInstances", "UnmonitorInstances"}) {
    Fields ids{{"InstanceId.1", "i-12345678"}, {"InstanceId.2", known}};
    const Answer one = t.ec2(action, ids);
    EXPECT_EQ(one.code(), "InvalidInstanceID.NotFound") << action;
    EXPECT_EQ(one.message(), "The instance ID 'i-12345678' does not exist") << action;
    ids.emplace_back("InstanceId.3", "i-12345668");
    EXPECT_EQ(t.ec2(action, ids).message(),
              "The instance IDs 'i-12345678, i-12345668' do not exist")
        << action;
  }
  EXPECT_EQ(t.ec2("DescribeInstances", {{"InstanceId.1", known}})
                .at("reservationSet/item/instancesSet/item/instanceState/name"),
            "running");
}

TEST(Ec2StateChanges, LetTheSystemShutDown) {
  TestBackend t;
  const std::string id = t.instance();
  for (const char* action : {"StopInstances", "TerminateInstances"})
    EXPECT_EQ(t.ec2(action, {{"InstanceId.1", id}, {"SkipOsShutdown", "true"}}).code(),
              "UnsupportedOperation");
  EXPECT_EQ(t.ec2("DescribeInstances", {{"IncludeManagedResources", "true"}})
                .at("reservationSet/item/instancesSet/item/instanceState/name"),
            "running");
  EXPECT_EQ(t.ec2("TerminateInstances",
                  {{"InstanceId.1", id}, {"SkipOsShutdown", "false"}, {"Force", "true"}})
                .code(),
            "");
}

TEST(Ec2StateChanges, MonitoringBecomesDetailedAndBasicAgain) {
  TestBackend t;
  const std::string id = t.instance();
  const auto shown = [&] {
    return t.ec2("DescribeInstances", {{"InstanceId.1", id}})
        .at("reservationSet/item/instancesSet/item/monitoring/state");
  };
  EXPECT_EQ(shown(), "disabled");
  const Answer detailed = t.ec2("MonitorInstances", {{"InstanceId.1", id}});
  EXPECT_EQ(detailed.at("instancesSet/item/instanceId"), id);
  EXPECT_EQ(detailed.at("instancesSet/item/monitoring/state"), "pending");
  EXPECT_EQ(shown(), "enabled");
  const Answer basic = t.ec2("UnmonitorInstances", {{"InstanceId.1", id}});
  EXPECT_EQ(basic.at("instancesSet/item/monitoring/state"), "disabling");
  EXPECT_EQ(shown(), "disabled");
}

}  // namespace
}  // namespace fakes
