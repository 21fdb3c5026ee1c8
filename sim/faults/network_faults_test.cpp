// The effects of faults of networks.
#include "sim/faults/kinds_for_test.h"

namespace sim::faults {
namespace {

struct CutNetworks : Kinds {
  bool answers(const std::string& caller, const char* action) {
    const bool lost = w.ec2_of(caller, action).code() == "NoAnswer";
    return !lost;
  }
  std::string obstacle(const cloud::InstanceId& from, const cloud::InstanceId& to) {
    return w.engine->obstacle(from, to);
  }
};

TEST_F(CutNetworks, ASubnetLosesAllTrafficWithOthersUntilTheEnd) {
  const auto a = w.spot("us-west-2a"), near = w.spot("us-west-2a"), far = w.spot("us-west-2b");
  strike("network-down", {{"instance", "1"}, {"for", "10m"}});
  EXPECT_FALSE(answers(a.value, "DescribeVolumes"));
  EXPECT_TRUE(answers(far.value, "DescribeVolumes"));
  EXPECT_TRUE(answers("operator", "DescribeVolumes"));
  EXPECT_EQ(obstacle(a, near), "");
  EXPECT_NE(obstacle(a, far), "");
  EXPECT_NE(obstacle(far, a), "");
  EXPECT_NE(obstacle(a, {}), "");
  EXPECT_EQ(obstacle(far, {}), "");
  w.pass(10min);
  EXPECT_TRUE(answers(a.value, "DescribeVolumes"));
  EXPECT_EQ(obstacle(a, far), "");
}

TEST_F(CutNetworks, TheScopeVpcKeepsConnectionsBetweenInstances) {
  const auto a = w.spot("us-west-2a"), far = w.spot("us-west-2b");
  strike("network-down", {{"instance", "1"}, {"scope", "vpc"}});
  EXPECT_FALSE(answers(a.value, "DescribeVolumes"));
  EXPECT_EQ(obstacle(a, far), "");
  EXPECT_NE(obstacle(a, {}), "");
}

TEST_F(CutNetworks, TheScopeAvailabilityZoneKeepsCalls) {
  const auto a = w.spot("us-west-2a"), far = w.spot("us-west-2b");
  strike("network-down", {{"instance", "1"}, {"scope", "availability-zone"}});
  EXPECT_TRUE(answers(a.value, "DescribeVolumes"));
  EXPECT_NE(obstacle(a, far), "");
  EXPECT_EQ(obstacle(a, {}), "");
}

TEST_F(CutNetworks, TheScopeS3LosesOnlyCallsOfS3) {
  const auto a = w.spot("us-west-2a");
  strike("network-down", {{"scope", "s3"}});
  EXPECT_TRUE(answers(a.value, "DescribeVolumes"));
  const auto lost = [&](const char* action) {
    return w.engine->before({.action = action, .caller = a.value}).error.has_value();
  };
  EXPECT_TRUE(lost("PutObject"));
  EXPECT_FALSE(lost("CreateTags"));
}

TEST_F(CutNetworks, ASubnetCanBeCutBeforeAnInstanceRuns) {
  strike("network-down", {{"subnet", w.cloud.network().subnets.default_of("us-west-2a")->id}});
  EXPECT_EQ(w.engine->tallies()[0].found, 1);
  const auto a = w.spot("us-west-2a"), far = w.spot("us-west-2b");
  EXPECT_FALSE(answers(a.value, "DescribeVolumes"));
  EXPECT_TRUE(answers(far.value, "DescribeVolumes"));
}

TEST_F(CutNetworks, AnUnknownSubnetIsRefused) {
  const auto a = w.spot("us-west-2a");
  strike("network-down", {{"subnet", "subnet-1"}});
  EXPECT_EQ(w.engine->tallies()[0].found, 0);
  EXPECT_EQ(w.engine->tallies()[0].refusal, "The subnet ID 'subnet-1' does not exist");
  EXPECT_TRUE(answers(a.value, "DescribeVolumes"));
}

}  // namespace
}  // namespace sim::faults
