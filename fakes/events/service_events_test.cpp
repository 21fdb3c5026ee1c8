// The events that AWS's services put on the default bus, in their formats.
#include "fakes/autoscaling/autoscaling_for_test.h"
#include "fakes/events/events_for_test.h"

namespace fakes {
namespace {

using nlohmann::json;
using Texts = std::vector<std::string>;

json of_type(const char* detail_type) { return {{"detail-type", {detail_type}}}; }

Texts details(const std::vector<json>& events, const char* member) {
  Texts found;
  for (const json& event : events) found.push_back(event["detail"].value(member, ""));
  return found;
}

// ---- EC2

TEST(ServiceEvents, AnInterruptionWarningNamesTheBehavior) {
  const auto warning = [](const char* behavior) {
    TestEvents t(prices_of_two_types());
    t.rule(of_type("EC2 Spot Instance Interruption Warning"));
    sim::cloud::InstanceId id;
    if (behavior == std::string("terminate")) {
      const auto made = t.cloud.run_spot_instances(
          {.instance_type = "p3.2xlarge", .availability_zone = "us-west-2b"}, 1, 1);
      t.run(2min);
      id = made.at(0);
    } else {
      id = t.stopping_instance(behavior == std::string("hibernate"));
    }
    t.cloud.interrupt(id, sim::cloud::Notice::kGiven, "no-capacity");
    t.run(1s);
    const auto got = t.received();
    EXPECT_EQ(got.size(), 1U);
    EXPECT_EQ(got.at(0)["source"], "aws.ec2");
    EXPECT_EQ(got.at(0)["detail"],
              (json{{"instance-id", id.value}, {"instance-action", behavior}}));
    EXPECT_EQ(got.at(0)["resources"],
              json::array({"arn:aws:ec2:us-west-2:123456789012:instance/" + id.value}));
  };
  for (const char* behavior : {"terminate", "stop", "hibernate"}) {
    SCOPED_TRACE(behavior);
    warning(behavior);
  }
}

TEST(ServiceEvents, ASpotRequestIsFulfilled) {
  TestEvents t;
  t.rule(of_type("EC2 Spot Instance Request Fulfillment"));
  const auto request =
      t.cloud
          .request_spot_instances(
              {.instance_type = "p3.2xlarge", .availability_zone = "us-west-2b"}, 1, "one-time")
          .at(0);
  EXPECT_TRUE(t.received().empty());
  t.run(1min);
  const auto got = t.received();
  ASSERT_EQ(got.size(), 1U);
  const std::string instance = t.cloud.spot_requests().at(request).instance.value;
  EXPECT_EQ(got[0]["detail"],
            (json{{"spot-instance-request-id", request.value}, {"instance-id", instance}}));
}

TEST(ServiceEvents, AnImageIsAvailableFailsAndIsDeregistered) {
  TestEvents t;
  t.rule(of_type("EC2 AMI State Change"));
  const std::string instance = t.instance();
  const auto make = [&](const char* name) {
    return t.ec2("CreateImage", {{"InstanceId", instance}, {"Name", name}, {"NoReboot", "true"}})
        .at("imageId");
  };
  const std::string image = make("one");
  t.run(10min);
  const std::string other = make("two");
  t.cloud.fail_snapshot(t.cloud.images().at({other}).devices.at(0).volume.from);
  t.run(10min);
  t.ec2("DeregisterImage", {{"ImageId", image}});
  t.run(1s);
  const auto got = t.received();
  EXPECT_EQ(details(got, "State"), (Texts{"available", "failed", "deregistered"}));
  ASSERT_EQ(got.size(), 3U);
  EXPECT_EQ(got[0]["resources"], json::array({"arn:aws:ec2:us-west-2::image/" + image}));
  EXPECT_EQ(
      got[0]["detail"],
      (json{{"RequestId", ""}, {"ImageId", image}, {"State", "available"}, {"ErrorMessage", ""}}));
  EXPECT_EQ(got[1]["detail"]["ImageId"], other);
  EXPECT_NE(got[1]["detail"]["ErrorMessage"], "");
}

// ---- fleets

Fields spot_fleet() {
  const std::string config = "SpotFleetRequestConfig.", spec = config + "LaunchSpecifications.1.";
  return {{config + "IamFleetRole", "arn:aws:iam::123456789012:role/fleet"},
          {config + "TargetCapacity", "1"},
          {spec + "ImageId", "ami-0123456789abcdef0"},
          {spec + "InstanceType", "p3.2xlarge"},
          {spec + "Placement.AvailabilityZone", "us-west-2b"}};
}

TEST(ServiceEvents, ASpotFleetReportsItsStatesItsRequestsAndItsInstances) {
  TestEvents t;
  t.rule({{"source", {"aws.ec2spotfleet"}}});
  const std::string id = t.ec2("RequestSpotFleet", spot_fleet()).at("spotFleetRequestId");
  t.run(2min);
  const auto got = t.all_received();
  ASSERT_EQ(got.size(), 5U);
  EXPECT_EQ(details(got, "sub-type"),
            (Texts{"submitted", "active", "submitted", "active", "launched"}));
  EXPECT_EQ(got[0]["detail-type"], "EC2 Spot Fleet State Change");
  EXPECT_EQ(got[0]["detail"], (json{{"sub-type", "submitted"}}));
  EXPECT_EQ(got[0]["resources"],
            json::array({"arn:aws:ec2:us-west-2:123456789012:spot-fleet-request/" + id}));
  EXPECT_EQ(got[3]["detail-type"], "EC2 Spot Fleet Spot Instance Request Change");
  const std::string request = got[3]["detail"]["spot-instance-request-id"];
  EXPECT_EQ(got[3]["detail"]["description"],
            "SpotInstanceRequestId " + request + ", PreviousState: open");
  EXPECT_EQ(got[4]["detail-type"], "EC2 Spot Fleet Instance Change");
  EXPECT_EQ(got[4]["detail"]["instance-id"], t.cloud.fleet({id}).instances.at(0).value);
  EXPECT_EQ(json::parse(got[4]["detail"]["description"].get<std::string>())["instanceType"],
            "p3.2xlarge");
  t.ec2("CancelSpotFleetRequests", {{"SpotFleetRequestId.1", id}, {"TerminateInstances", "true"}});
  t.run(5min);
  const auto end = details(t.all_received(), "sub-type");
  EXPECT_EQ(end, (Texts{"cancelled_terminating", "terminated", "cancelled"}));
}

TEST(ServiceEvents, ASpotFleetReportsWhyItCannotLaunch) {
  TestEvents t;
  t.market.set_capacity({"p3.2xlarge", "us-west-2b"}, 0);
  t.rule({{"source", {"aws.ec2spotfleet"}},
          {"detail-type", {"EC2 Spot Fleet Information", "EC2 Spot Fleet Error"}}});
  t.ec2("RequestSpotFleet", spot_fleet());
  t.run(2min);
  const auto got = t.received();
  EXPECT_EQ(details(got, "sub-type"),
            (Texts{"launchSpecTemporarilyBlacklisted", "allLaunchSpecsTemporarilyBlacklisted"}));
  EXPECT_EQ(got.at(0)["detail-type"], "EC2 Spot Fleet Information");
  EXPECT_EQ(got.at(1)["detail-type"], "EC2 Spot Fleet Error");
}

TEST(ServiceEvents, AnEc2FleetReportsItsStatesInItsWords) {
  TestEvents t;
  t.rule({{"source", {"aws.ec2fleet"}}, {"detail-type", {"EC2 Fleet State Change"}}});
  t.ec2("CreateLaunchTemplate", {{"LaunchTemplateName", "trainer"},
                                 {"LaunchTemplateData.ImageId", "ami-0123456789abcdef0"},
                                 {"LaunchTemplateData.InstanceType", "p3.2xlarge"}});
  const std::string named = "LaunchTemplateConfigs.1.LaunchTemplateSpecification.";
  const auto create = [&](const char* type) {
    return t
        .ec2("CreateFleet", {{"Type", type},
                             {named + "LaunchTemplateName", "trainer"},
                             {named + "Version", "1"},
                             {"TargetCapacitySpecification.TotalTargetCapacity", "1"},
                             {"TargetCapacitySpecification.DefaultTargetCapacityType", "spot"}})
        .at("fleetId");
  };
  create("instant");
  const std::string id = create("maintain");
  t.run(2min);
  t.ec2("DeleteFleets", {{"FleetId.1", id}, {"TerminateInstances", "true"}});
  t.run(5min);
  const auto got = t.all_received();
  EXPECT_EQ(details(got, "sub-type"),
            (Texts{"submitted", "active", "deleted_terminating", "deleted"}))
      << "none of the instant fleet";
  for (const json& event : got)
    EXPECT_EQ(event["resources"], json::array({"arn:aws:ec2:us-west-2:123456789012:fleet/" + id}));
}

// ---- EBS

TEST(ServiceEvents, ACopyOfASnapshotNamesItsOriginal) {
  TestEvents t;
  const std::string volume = t.volume();
  const auto first = t.ec2("CreateSnapshot", {{"VolumeId", volume}}).at("snapshotId");
  t.run(5min);
  t.rule(of_type("EBS Snapshot Notification"));
  const auto copy =
      t.ec2("CopySnapshot", {{"SourceSnapshotId", first}, {"SourceRegion", "us-west-2"}})
          .at("snapshotId");
  t.run(5min);
  const auto got = t.received();
  ASSERT_EQ(got.size(), 1U);
  const json& detail = got[0]["detail"];
  EXPECT_EQ(detail["event"], "copySnapshot");
  EXPECT_EQ(detail["result"], "succeeded");
  EXPECT_EQ(detail["snapshot_id"], "arn:aws:ec2::us-west-2:snapshot/" + copy);
  EXPECT_EQ(detail["source"], "arn:aws:ec2::us-west-2:snapshot/" + first);
  EXPECT_EQ(detail["transferType"], "standard");
  EXPECT_EQ(detail["incremental"], "true");
}

TEST(ServiceEvents, TheSnapshotsOfAnInstanceHaveOneEvent) {
  TestEvents t;
  t.rule({{"source", {"aws.ec2"}},
          {"detail", {{"event", json::array({{{"prefix", "createSnapshot"}}})}}}});
  const std::string instance = t.instance({{"BlockDeviceMapping.1.DeviceName", "/dev/sdf"},
                                           {"BlockDeviceMapping.1.Ebs.VolumeSize", "8"}});
  const auto made = t.ec2("CreateSnapshots", {{"InstanceSpecification.InstanceId", instance}})
                        .all("snapshotSet/item/snapshotId");
  ASSERT_EQ(made.size(), 2U);
  t.run(10min);
  const auto got = t.received();
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0]["detail-type"], "EBS Multi-Volume Snapshots Completion Status");
  EXPECT_EQ(got[0]["detail"]["event"], "createSnapshots");
  EXPECT_EQ(got[0]["detail"]["result"], "succeeded");
  EXPECT_EQ(got[0]["resources"].size(), 2U);
  for (const json& each : got[0]["detail"]["snapshots"]) EXPECT_EQ(each["status"], "completed");

  const auto next = t.ec2("CreateSnapshots", {{"InstanceSpecification.InstanceId", instance}})
                        .all("snapshotSet/item/snapshotId");
  t.cloud.fail_snapshot({next.at(1)});
  t.run(10min);
  const auto failed = t.received();
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_EQ(failed[0]["detail"]["result"], "failed");
  EXPECT_EQ(failed[0]["detail"]["cause"], "Snapshot " + next[1] + " is in status error");
}

// The event does not wait for a snapshot that was deleted while it was pending.
TEST(ServiceEvents, ADeletedSnapshotOfAnInstanceDoesNotCount) {
  TestEvents t;
  t.rule({{"source", {"aws.ec2"}}, {"detail", {{"event", {"createSnapshots"}}}}});
  const std::string instance = t.instance({{"BlockDeviceMapping.1.DeviceName", "/dev/sdf"},
                                           {"BlockDeviceMapping.1.Ebs.VolumeSize", "8"}});
  const auto snapshots = [&] {
    auto made = t.ec2("CreateSnapshots", {{"InstanceSpecification.InstanceId", instance}})
                    .all("snapshotSet/item/snapshotId");
    EXPECT_EQ(made.size(), 2U);
    return made;
  };
  const auto remove = [&](const std::string& id) {
    EXPECT_EQ(t.ec2("DeleteSnapshot", {{"SnapshotId", id}}).code(), "");
  };
  const auto one = snapshots();
  t.cloud.fail_snapshot({one[0]});
  remove(one[1]);
  t.run(10min);
  const auto got = t.received();
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0]["resources"].size(), 1U);
  EXPECT_EQ(got[0]["detail"]["result"], "failed");
  EXPECT_EQ(got[0]["detail"]["snapshots"][0]["snapshot_id"],
            "arn:aws:ec2::us-west-2:snapshot/" + one[0]);

  for (const std::string& id : snapshots()) remove(id);
  t.run(10min);
  EXPECT_TRUE(t.received().empty());
}

// ---- Auto Scaling

struct GroupEvents : TestEvents {
  Answer group(const std::string& form) const {
    return send(
        AutoscalingBackend::request("Version=2011-01-01&AutoScalingGroupName=g&Action=" + form));
  }
  void make(const std::string& more = "") const {
    send(AutoscalingBackend::request(
        "Version=2011-01-01&Action=CreateLaunchConfiguration&LaunchConfigurationName=lc&"
        "ImageId=ami-0123456789abcdef0&InstanceType=p3.2xlarge&SpotPrice=1.5"));
    const Answer made = group(
        "CreateAutoScalingGroup&LaunchConfigurationName=lc&MinSize=0&MaxSize=1&"
        "DesiredCapacity=1&AvailabilityZones.member.1=us-west-2b" +
        more);
    EXPECT_EQ(made.status(), 200) << made.body();
  }
};

TEST(ServiceEvents, AGroupReportsLaunchesAndTerminations) {
  GroupEvents t;
  t.rule({{"source", {"aws.autoscaling"}}});
  t.make();
  t.run(5min);
  t.group("UpdateAutoScalingGroup&DesiredCapacity=0");
  t.run(10min);
  const auto got = t.received();
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[0]["detail-type"], "EC2 Instance Launch Successful");
  EXPECT_EQ(got[0]["detail"]["StatusCode"], "Successful");
  EXPECT_EQ(got[0]["detail"]["Origin"], "EC2");
  EXPECT_EQ(got[0]["detail"]["Destination"], "AutoScalingGroup");
  EXPECT_EQ(got[0]["resources"].size(), 2U);
  EXPECT_EQ(got[1]["detail-type"], "EC2 Instance Terminate Successful");
  EXPECT_EQ(got[1]["detail"]["EC2InstanceId"], got[0]["detail"]["EC2InstanceId"]);
  EXPECT_EQ(got[1]["detail"]["Origin"], "AutoScalingGroup");
}

TEST(ServiceEvents, AGroupReportsALaunchThatFailed) {
  GroupEvents t;
  t.market.set_capacity({"p3.2xlarge", "us-west-2b"}, 0);
  t.rule(of_type("EC2 Instance Launch Unsuccessful"));
  t.make();
  t.run(2min);
  const auto got = t.received();
  ASSERT_FALSE(got.empty());
  EXPECT_EQ(got[0]["detail"]["StatusCode"], "Failed");
  EXPECT_EQ(got[0]["detail"]["AutoScalingGroupName"], "g");
  EXPECT_EQ(got[0]["resources"].size(), 1U) << "there is no instance";
  const std::string message = got[0]["detail"]["StatusMessage"];
  EXPECT_NE(message.find("Launching EC2 instance failed."), std::string::npos) << message;
}

TEST(ServiceEvents, ALifecycleActionAtTheLaunchHasAToken) {
  GroupEvents t;
  t.rule(of_type("EC2 Instance-launch Lifecycle Action"));
  const std::string hook = "&LifecycleHookSpecificationList.member.1.";
  t.make(hook + "LifecycleHookName=prepare" + hook +
         "LifecycleTransition=autoscaling:EC2_INSTANCE_LAUNCHING" + hook +
         "NotificationMetadata=data");
  t.run(5min);
  const auto got = t.received();
  ASSERT_EQ(got.size(), 1U);
  const json& detail = got[0]["detail"];
  EXPECT_EQ(detail["LifecycleHookName"], "prepare");
  EXPECT_EQ(detail["LifecycleTransition"], "autoscaling:EC2_INSTANCE_LAUNCHING");
  EXPECT_EQ(detail["NotificationMetadata"], "data");
  EXPECT_EQ(detail["Origin"], "EC2");
  const std::string token = detail["LifecycleActionToken"];
  EXPECT_EQ(t.group("CompleteLifecycleAction&LifecycleHookName=prepare&"
                    "LifecycleActionResult=CONTINUE&LifecycleActionToken=" +
                    token)
                .status(),
            200);
}

// ---- other services

TEST(ServiceEvents, ATrainingJobReportsEachSecondaryStatus) {
  TestEvents t;
  t.rule(of_type("SageMaker Training Job State Change"));
  const auto ask = [&](const std::string& action, const json& body) {
    return t.ask(TestJson::request("sagemaker", "SageMaker." + action, body.dump()));
  };
  const auto made =
      ask("CreateTrainingJob",
          {{"TrainingJobName", "job"},
           {"AlgorithmSpecification",
            {{"TrainingImage", "123456789012.dkr.ecr.us-west-2.amazonaws.com/train:1"},
             {"TrainingInputMode", "File"}}},
           {"RoleArn", "arn:aws:iam::123456789012:role/R"},
           {"HyperParameters", {{"epochs", "2"}}},
           {"OutputDataConfig", {{"S3OutputPath", "s3://bucket/out"}}},
           {"ResourceConfig",
            {{"InstanceType", "ml.p3.2xlarge"}, {"InstanceCount", 1}, {"VolumeSizeInGB", 30}}},
           {"StoppingCondition", {{"MaxRuntimeInSeconds", 3600}, {"MaxWaitTimeInSeconds", 7200}}},
           {"EnableManagedSpotTraining", true}});
  ASSERT_EQ(made.status, 200) << made.body;
  ask("StopTrainingJob", {{"TrainingJobName", "job"}});
  t.run(1min);
  const auto got = t.all_received();
  ASSERT_GE(got.size(), 2U);
  const json& first = got.front()["detail"];
  EXPECT_EQ(got.front()["source"], "aws.sagemaker");
  EXPECT_EQ(got.front()["resources"], json::array({made.body["TrainingJobArn"]}));
  EXPECT_EQ(first["TrainingJobStatus"], "InProgress");
  EXPECT_EQ(first["SecondaryStatus"], "Starting");
  EXPECT_EQ(first["HyperParameters"], (json{{"epochs", "2"}}));
  EXPECT_EQ(first["ResourceConfig"],
            (json{{"InstanceType", "ml.p3.2xlarge"}, {"InstanceCount", 1}}));
  EXPECT_EQ(first["EnableManagedSpotTraining"], true);
  EXPECT_EQ(first["CreationTime"], 1572948000000) << "in milliseconds";
  const json& last = got.back()["detail"];
  EXPECT_EQ(last["TrainingJobStatus"], "Stopped");
  EXPECT_EQ(last["SecondaryStatusTransitions"].back()["Status"], last["SecondaryStatus"]);
}

TEST(ServiceEvents, AParameterIsChosenByItsName) {
  TestEvents t;
  t.rule({{"source", {"aws.ssm"}},
          {"detail-type", {"Parameter Store Change"}},
          {"detail", {{"name", {"/golden/image"}}, {"operation", {"Create", "Update"}}}}});
  const auto put = [&](const char* name, const char* value) {
    t.ask(TestJson::request(
        "ssm", "AmazonSSM.PutParameter",
        json{{"Name", name}, {"Value", value}, {"Type", "String"}, {"Overwrite", true}}.dump()));
  };
  put("/golden/image", "ami-1");
  put("/golden/other", "ami-2");
  put("/golden/image", "ami-3");
  t.run(1min);
  EXPECT_EQ(details(t.received(), "operation"), (Texts{"Create", "Update"}));
}

TEST(ServiceEvents, ALogGroupIsATargetOfARule) {
  TestEvents t;
  t.logs("CreateLogGroup", {{"logGroupName", "/aws/events/spot"}});
  t.rule(
      of_type("EC2 Instance State-change Notification"),
      {{"Id", "log"}, {"Arn", "arn:aws:logs:us-west-2:123456789012:log-group:/aws/events/spot"}});
  const std::string id = t.instance();
  const json events =
      t.logs("FilterLogEvents", {{"logGroupName", "/aws/events/spot"}}).body["events"];
  ASSERT_EQ(events.size(), 2U);
  const json event = json::parse(events[1]["message"].get<std::string>());
  EXPECT_EQ(event["detail"], (json{{"instance-id", id}, {"state", "running"}}));
  EXPECT_TRUE(t.received().empty()) << "the queue is no target";
}

}  // namespace
}  // namespace fakes
