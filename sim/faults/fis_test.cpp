// Experiments of AWS FIS that inject faults of the catalogue.
#include "sim/faults/fis_world_for_test.h"

namespace sim::faults {
namespace {

TEST(FisFaults, PausesOneVolumeOfAnInstance) {
  FisWorld t;
  const std::string id = t.instance(), volume = t.volume(), other = t.volume();
  t.ec2("AttachVolume", {{"VolumeId", volume}, {"InstanceId", id}, {"Device", "/dev/sdf"}});
  t.ec2("AttachVolume", {{"VolumeId", other}, {"InstanceId", id}, {"Device", "/dev/sdg"}});
  t.pass(1min);
  const json target = {{"resourceType", "aws:ec2:ebs-volume"},
                       {"resourceArns", {"arn:aws:ec2:us-west-2:123456789012:volume/" + volume}}};
  t.start("aws:ebs:pause-volume-io", {{"duration", "PT30S"}}, "Volumes", target);
  ASSERT_EQ(t.guests.inflicted.size(), 1U);
  EXPECT_EQ(t.guests.inflicted[0].first, id);
  EXPECT_EQ(t.guests.inflicted[0].second.what, guest::GuestFault::What::kPausedIo);
  EXPECT_EQ(t.guests.inflicted[0].second.volume, volume);
  EXPECT_EQ(t.guests.inflicted[0].second.lasts, Duration(30s));
  t.guests.unable = guest::GuestFault::What::kPausedIo;
  const std::string failed =
      t.start("aws:ebs:pause-volume-io", {{"duration", "PT30S"}}, "Volumes", target);
  EXPECT_EQ(t.state(failed)["status"], "failed");
}

// EBS User Guide, "Pause I/O fault injection": impaired within 120 seconds.
TEST(FisFaults, APausedVolumeIsImpaired) {
  FisWorld t;
  const std::string id = t.instance(), volume = t.volume(), unattached = t.volume();
  t.ec2("AttachVolume", {{"VolumeId", volume}, {"InstanceId", id}, {"Device", "/dev/sdf"}});
  t.pass(1min);
  const std::string arns = "arn:aws:ec2:us-west-2:123456789012:volume/";
  const std::string experiment =
      t.start("aws:ebs:pause-volume-io", {{"duration", "PT10M"}}, "Volumes",
              {{"resourceType", "aws:ec2:ebs-volume"},
               {"resourceArns", {arns + volume, arns + unattached}}});
  const auto status = [&](const std::string& of) {
    return t.ec2("DescribeVolumeStatus", {{"VolumeId.1", of}})
        .at("volumeStatusSet/item/volumeStatus/status");
  };
  EXPECT_EQ(status(volume), "ok");
  t.pass(2min);
  EXPECT_EQ(status(volume), "impaired");
  EXPECT_EQ(status(unattached), "ok");
  t.ask("DELETE", "/experiments/" + experiment);
  t.pass(1s);
  EXPECT_EQ(status(volume), "ok");
}

json instance_target(const std::string& id, const char* type = "aws:ec2:instance") {
  return {{"resourceType", type},
          {"resourceArns", {"arn:aws:ec2:us-west-2:123456789012:instance/" + id}}};
}

// The kinds of the strikes, in their order.
std::vector<std::string> struck_kinds(const FisWorld& t) {
  std::vector<std::string> kinds;
  for (const Event& line : t.of_kind("fault.strike")) kinds.push_back(line.fields["kind"]);
  return kinds;
}

TEST(FisFaults, AnInterruptionHasARecommendationAndANotice) {
  FisWorld t;
  const auto id = t.spot();
  const std::string experiment =
      t.start("aws:ec2:send-spot-instance-interruptions", {{"durationBeforeInterruption", "PT5M"}},
              "SpotInstances", instance_target(id.value, "aws:ec2:spot-instance"));
  EXPECT_EQ(t.state(experiment)["status"], "running");
  const auto& instance = t.cloud.instance(id);
  EXPECT_TRUE(instance.rebalance_recommended_at);
  t.pass(2min + 58s);
  EXPECT_FALSE(instance.interruption_notice_at);
  t.pass(1s);
  EXPECT_TRUE(instance.interruption_notice_at);
  EXPECT_EQ(struck_kinds(t), (std::vector<std::string>{"rebalance", "interrupt"}));
  EXPECT_EQ(t.of_kind("fault.strike")[1].fields["machine"], id.value);
  t.pass(2min);
  EXPECT_NE(instance.state, cloud::InstanceState::kRunning);
  EXPECT_EQ(t.state(experiment)["status"], "completed");
  EXPECT_EQ(t.ec2("DescribeSpotInstanceRequests").at("spotInstanceRequestSet/item/status/code"),
            "instance-terminated-by-experiment");
}

TEST(FisFaults, StopsInstancesAndStartsThemAgain) {
  FisWorld t;
  const cloud::InstanceId id{t.instance()};
  const auto begin = [&] {
    return t.start("aws:ec2:stop-instances", {{"startInstancesAfterDuration", "PT10M"}},
                   "Instances", instance_target(id.value));
  };
  const std::string experiment = begin();
  t.pass(5min);
  EXPECT_EQ(t.cloud.instance(id).state, cloud::InstanceState::kStopped);
  EXPECT_EQ(t.state(experiment)["status"], "running");
  t.pass(7min);
  EXPECT_EQ(t.cloud.instance(id).state, cloud::InstanceState::kRunning);
  EXPECT_EQ(t.state(experiment)["status"], "completed");
  t.ask("DELETE", "/experiments/" + begin());
  t.pass(5min);
  EXPECT_EQ(t.cloud.instance(id).state, cloud::InstanceState::kRunning) << "it starts at once";
  const std::string once = t.start("aws:ec2:stop-instances", json::object(), "Instances",
                                   instance_target(t.spot().value));
  EXPECT_EQ(t.state(once)["status"], "failed") << "a one-time spot request";
  EXPECT_EQ(struck_kinds(t), (std::vector<std::string>{"stop", "stop", "stop"}));
}

// As the action without completeIfInstancesTerminated.
TEST(FisFaults, FailsIfAStoppedInstanceCannotStartAgain) {
  FisWorld t;
  const cloud::InstanceId id{t.instance()};
  const std::string experiment =
      t.start("aws:ec2:stop-instances", {{"startInstancesAfterDuration", "PT10M"}}, "Instances",
              instance_target(id.value));
  t.pass(5min);
  t.cloud.terminate_instances({id});
  t.pass(4min);
  EXPECT_EQ(t.state(experiment)["status"], "running");
  t.pass(2min);
  EXPECT_EQ(t.state(experiment)["status"], "failed");
}

TEST(FisFaults, TerminatesAndRebootsInstances) {
  FisWorld t;
  const cloud::InstanceId id{t.instance()};
  t.start("aws:ec2:reboot-instances", json::object(), "Instances", instance_target(id.value));
  EXPECT_EQ(t.cloud.instance(id).state, cloud::InstanceState::kRunning);
  t.start("aws:ec2:terminate-instances", json::object(), "Instances", instance_target(id.value));
  EXPECT_EQ(t.cloud.instance(id).state, cloud::InstanceState::kShuttingDown);
  EXPECT_EQ(struck_kinds(t), (std::vector<std::string>{"reboot", "terminate"}));
}

TEST(FisFaults, CutsTheNetworkOfASubnet) {
  FisWorld t;
  const auto id = t.spot();
  const std::string& subnet = t.cloud.instance(id).spec.subnet_id;
  const json target = {{"resourceType", "aws:ec2:subnet"},
                       {"resourceArns", {"arn:aws:ec2:us-west-2:123456789012:subnet/" + subnet}}};
  const std::string experiment =
      t.start("aws:network:disrupt-connectivity", {{"duration", "PT5M"}, {"scope", "all"}},
              "Subnets", target);
  EXPECT_EQ(struck_kinds(t), std::vector<std::string>{"network-down"});
  EXPECT_EQ(t.ec2_of(id.value, "DescribeVolumes").code(), "NoAnswer");
  t.ask("DELETE", "/experiments/" + experiment);
  EXPECT_EQ(t.ec2_of(id.value, "DescribeVolumes").code(), "");
  for (const char* scope : {"dynamodb", "prefix-list", "s3express", ""})
    EXPECT_NE(t.plan("aws:network:disrupt-connectivity", {{"duration", "PT5M"}, {"scope", scope}},
                     "Subnets", target)
                  .find("Parameter scope"),
              std::string::npos)
        << scope;
}

// The reason why an experiment that terminates an instance fails, with such a role. Empty: it does
// not fail.
std::string failure_of_role(const std::string& trusted, const std::string& allowed) {
  FisWorld t;
  const std::string id = t.instance();
  decide_by_role(t, trusted,
                 fakes::authorisation::allow(allowed, "arn:aws:ec2:*:*:instance/" + id));
  const std::string experiment =
      t.start("aws:ec2:terminate-instances", json::object(), "Instances", instance_target(id));
  const bool failed = t.state(experiment)["status"] == "failed";
  EXPECT_EQ(t.strikes(), failed ? 0U : 1U);
  EXPECT_EQ(t.of_kind("iam.denied").size(), failed ? 1U : 0U);
  const json shown = t.ask("GET", "/experiments/" + experiment).second["experiment"];
  return failed ? shown["state"]["reason"].get<std::string>() + " " +
                      shown["actions"]["act"]["state"]["reason"].get<std::string>()
                : "";
}

TEST(FisFaults, AnExperimentActsWithItsRole) {
  EXPECT_EQ(failure_of_role("fis.amazonaws.com", R"("ec2:TerminateInstances")"), "");
  EXPECT_EQ(failure_of_role("ec2.amazonaws.com", R"("*")"),
            "Unable to assume role arn:aws:iam::123456789012:role/fis. Initial state");
  EXPECT_EQ(failure_of_role("fis.amazonaws.com", R"("ec2:StopInstances")"),
            "Experiment failed to execute: one or more actions failed. Not authorized to perform "
            "the required action.");
}

// The condition of AWSFaultInjectionSimulatorNetworkAccess. Only a new resource has tags.
TEST(FisFaults, OnlyAnActionThatMakesAResourceTagsIt) {
  FisWorld t;
  const std::string id = t.instance();
  const std::string& subnet = t.cloud.instance({id}).spec.subnet_id;
  decide_by_role(
      t, "fis.amazonaws.com",
      R"({"Effect":"Allow","Action":["ec2:CreateNetworkAcl","ec2:TerminateInstances"],)"
      R"("Resource":"*","Condition":{"StringEquals":{"aws:RequestTag/managedByFIS":"true"}}},)" +
          fakes::authorisation::allow(R"("ec2:ReplaceNetworkAclAssociation")"));
  const auto status = [&](const std::string& experiment) {
    return t.state(experiment)["status"].get<std::string>();
  };
  EXPECT_EQ(status(t.start("aws:ec2:terminate-instances", json::object(), "Instances",
                           instance_target(id))),
            "failed");
  const json target = {{"resourceType", "aws:ec2:subnet"},
                       {"resourceArns", {"arn:aws:ec2:us-west-2:123456789012:subnet/" + subnet}}};
  EXPECT_EQ(status(t.start("aws:network:disrupt-connectivity",
                           {{"duration", "PT5M"}, {"scope", "all"}}, "Subnets", target)),
            "running");
}

}  // namespace
}  // namespace sim::faults
