#include "fakes/autoscaling/autoscaling_for_test.h"

namespace fakes {
namespace {

using Names = std::vector<std::string>;

TEST(Autoscaling, KeepsLaunchConfigurationsAsTheyWereAskedFor) {
  AutoscalingBackend t;
  t.configuration({{"UserData", "IyEvYmluL2Jhc2gK"},
                   {"SpotPrice", "0.95"},
                   {"SecurityGroups.member.1", "sg-0123456789abcdef0"},
                   {"IamInstanceProfile", "job"},
                   {"BlockDeviceMappings.member.1.DeviceName", "/dev/sdf"},
                   {"BlockDeviceMappings.member.1.Ebs.VolumeSize", "8"}});
  const auto shown = t.ask("DescribeLaunchConfigurations");
  const std::string of = "LaunchConfigurations/member/";
  EXPECT_EQ(shown.at(of + "SpotPrice"), "0.95");
  EXPECT_EQ(shown.at(of + "UserData"), "IyEvYmluL2Jhc2gK");
  EXPECT_EQ(shown.at(of + "BlockDeviceMappings/member/Ebs/VolumeSize"), "8");
  EXPECT_TRUE(shown.at(of + "LaunchConfigurationARN").ends_with(":launchConfigurationName/lc"));
  const auto id = t.group();
  const auto instance = t.ec2("DescribeInstances", {{"InstanceId.1", id}});
  const std::string at = "reservationSet/item/instancesSet/item/";
  EXPECT_EQ(instance.at(at + "instanceLifecycle"), "spot");
  EXPECT_EQ(instance.at(at + "groupSet/item/groupId"), "sg-0123456789abcdef0");
  EXPECT_TRUE(instance.at(at + "iamInstanceProfile/arn").ends_with("/job"));
  EXPECT_EQ(instance.all(at + "blockDeviceMapping/item/deviceName").back(), "/dev/sdf");
  EXPECT_TRUE(t.ask("DeleteLaunchConfiguration", {{"LaunchConfigurationName", "lc"}})
                  .error()
                  .starts_with("ResourceInUse: "));
}

TEST(Autoscaling, RefusesLaunchConfigurationsInItsOwnCode) {
  AutoscalingBackend t;
  const auto refused = [&](const Fields& fields) {
    return t.ask("CreateLaunchConfiguration", fields).error();
  };
  EXPECT_TRUE(refused({{"LaunchConfigurationName", "lc"}}).starts_with("ValidationError: "));
  const Fields good{{"LaunchConfigurationName", "lc"},
                    {"ImageId", "ami-0123456789abcdef0"},
                    {"InstanceType", "p3.2xlarge"}};
  for (const auto& [name, value] : Fields{{"UserData", "%"},
                                          {"SpotPrice", "-1"},
                                          {"PlacementTenancy", "dedicated"},
                                          {"SecurityGroups.member.1", "sg-x"}}) {
    Fields fields = good;
    fields.emplace_back(name, value);
    EXPECT_TRUE(refused(fields).starts_with("ValidationError: "))
        << name << ": " << refused(fields);
  }
  EXPECT_EQ(t.ask("CreateLaunchConfiguration", good).status(), 200);
  EXPECT_TRUE(refused(good).starts_with("AlreadyExists: "));
}

TEST(Autoscaling, DescribesAGroupItsInstancesAndWhatItDid) {
  AutoscalingBackend t;
  t.configuration();
  const auto id = t.group({{"Tags.member.1.Key", "Name"},
                           {"Tags.member.1.Value", "train"},
                           {"Tags.member.1.PropagateAtLaunch", "true"}});
  const auto shown = t.ask("DescribeAutoScalingGroups", {{"AutoScalingGroupNames.member.1", "g"}});
  const std::string of = "AutoScalingGroups/member/";
  EXPECT_EQ(shown.at(of + "DesiredCapacity"), "1");
  EXPECT_EQ(shown.all(of + "AvailabilityZones/member"), (Names{"us-west-2a", "us-west-2b"}));
  EXPECT_EQ(shown.at(of + "Instances/member/LifecycleState"), "InService");
  EXPECT_EQ(shown.at(of + "Instances/member/LaunchConfigurationName"), "lc");
  EXPECT_EQ(shown.at(of + "Tags/member/PropagateAtLaunch"), "true");
  const auto activities = t.ask("DescribeScalingActivities", {{"AutoScalingGroupName", "g"}});
  EXPECT_EQ(activities.at("Activities/member/StatusCode"), "Successful");
  EXPECT_EQ(activities.at("Activities/member/Description"), "Launching a new EC2 instance: " + id);
  const auto tags =
      t.ec2("DescribeTags", {{"Filter.1.Name", "resource-id"}, {"Filter.1.Value.1", id}});
  EXPECT_EQ(tags.all("tagSet/item/key"), (Names{"Name", "aws:autoscaling:groupName"}));
}

TEST(Autoscaling, RefusesGroupsThatCannotBe) {
  AutoscalingBackend t;
  t.configuration();
  const auto refused = [&](const Fields& fields) {
    return t.ask("CreateAutoScalingGroup", fields).error();
  };
  Fields fields{{"AutoScalingGroupName", "g"}, {"MinSize", "0"}, {"MaxSize", "1"}};
  EXPECT_TRUE(refused(fields).starts_with("ValidationError: Valid requests must contain either"));
  fields.emplace_back("LaunchConfigurationName", "lc");
  EXPECT_EQ(refused(fields),
            "ValidationError: At least one Availability Zone or VPC Subnet is required.");
  fields.emplace_back("AvailabilityZones.member.1", "us-west-2z");
  EXPECT_EQ(refused(fields), "ValidationError: Invalid availability zones: [us-west-2z]");
  fields.back().second = "us-west-2a";
  fields.emplace_back("VPCZoneIdentifier", "subnet-0");
  EXPECT_TRUE(refused(fields).starts_with("ValidationError: "));
  EXPECT_EQ(t.ask("DeleteAutoScalingGroup", {{"AutoScalingGroupName", "g"}}).error(),
            "ValidationError: AutoScalingGroup name not found - AutoScalingGroup 'g' not found");
}

TEST(Autoscaling, LaunchesIntoTheSubnetsAskedFor) {
  AutoscalingBackend t;
  t.configuration();
  const auto listed = t.ec2("DescribeSubnets");
  const auto subnets = listed.all("subnetSet/item/subnetId");
  const auto made = t.ask("CreateAutoScalingGroup", {{"AutoScalingGroupName", "g"},
                                                     {"LaunchConfigurationName", "lc"},
                                                     {"MinSize", "1"},
                                                     {"MaxSize", "1"},
                                                     {"VPCZoneIdentifier", subnets.at(1)}});
  ASSERT_EQ(made.status(), 200) << made.body();
  t.run(1min);
  EXPECT_EQ(
      t.ask("DescribeAutoScalingInstances").at("AutoScalingInstances/member/AvailabilityZone"),
      listed.all("subnetSet/item/availabilityZone").at(1));
}

TEST(Autoscaling, LaunchesIntoItsPlacementGroup) {
  AutoscalingBackend t;
  t.configuration();
  t.cloud.network().placement_groups.create("near", "cluster", 0);
  const std::string id = t.group({{"PlacementGroup", "near"}});
  EXPECT_EQ(t.cloud.instance({id}).spec.placement_group, "near");
  EXPECT_EQ(t.ask("DescribeAutoScalingGroups").at("AutoScalingGroups/member/PlacementGroup"),
            "near");
  EXPECT_EQ(
      t.ask("UpdateAutoScalingGroup", {{"AutoScalingGroupName", "g"}, {"PlacementGroup", "none"}})
          .error(),
      "ValidationError: The Placement Group 'none' is unknown.");
}

TEST(Autoscaling, UpdatesOnlyTheMembersOfARequest) {
  AutoscalingBackend t;
  t.configuration();
  t.group();
  EXPECT_EQ(
      t.ask("UpdateAutoScalingGroup", {{"AutoScalingGroupName", "g"}, {"MinSize", "2"}}).status(),
      200);
  const auto shown = t.ask("DescribeAutoScalingGroups");
  EXPECT_EQ(shown.at("AutoScalingGroups/member/DesiredCapacity"), "2");
  EXPECT_EQ(shown.at("AutoScalingGroups/member/MaxSize"), "3");
  EXPECT_EQ(shown.all("AutoScalingGroups/member/AvailabilityZones/member").size(), 2u);
  EXPECT_TRUE(
      t.ask("SetDesiredCapacity", {{"AutoScalingGroupName", "g"}, {"DesiredCapacity", "9"}})
          .error()
          .starts_with("ValidationError: New SetDesiredCapacity value 9 is above max value 3"));
}

TEST(Autoscaling, MixesInstancesOfALaunchTemplate) {
  AutoscalingBackend t;
  const auto id =
      t.ec2("CreateLaunchTemplate", {{"LaunchTemplateName", "lt-train"},
                                     {"LaunchTemplateData.ImageId", "ami-0123456789abcdef0"},
                                     {"LaunchTemplateData.InstanceType", "m4.xlarge"}})
          .at("launchTemplate/launchTemplateId");
  const std::string policy = "MixedInstancesPolicy.", launch = policy + "LaunchTemplate.";
  const auto made = t.ask(
      "CreateAutoScalingGroup",
      {{"AutoScalingGroupName", "g"},
       {"MinSize", "2"},
       {"MaxSize", "4"},
       {"AvailabilityZones.member.1", "us-west-2a"},
       {launch + "LaunchTemplateSpecification.LaunchTemplateName", "lt-train"},
       {launch + "Overrides.member.1.InstanceType", "p3.2xlarge"},
       {launch + "Overrides.member.1.WeightedCapacity", "1"},
       {policy + "InstancesDistribution.OnDemandBaseCapacity", "1"},
       {policy + "InstancesDistribution.OnDemandPercentageAboveBaseCapacity", "0"},
       {policy + "InstancesDistribution.SpotAllocationStrategy", "price-capacity-optimized"}});
  ASSERT_EQ(made.status(), 200) << made.body();
  t.run(1min);
  const auto shown = t.ask("DescribeAutoScalingGroups");
  const std::string of = "AutoScalingGroups/member/";
  EXPECT_EQ(shown.at(of + launch.substr(0, launch.find('.')) +
                     "/LaunchTemplate/LaunchTemplateSpecification/LaunchTemplateId"),
            id);
  EXPECT_EQ(shown.at(of + "MixedInstancesPolicy/InstancesDistribution/OnDemandAllocationStrategy"),
            "prioritized");
  EXPECT_EQ(shown.all(of + "Instances/member/WeightedCapacity"), (Names{"1", "1"}));
  EXPECT_EQ(shown.all(of + "Instances/member/LaunchTemplate/Version"), (Names{"1", "1"}));
  EXPECT_EQ(
      t.ec2("DescribeInstances").all("reservationSet/item/instancesSet/item/instanceLifecycle"),
      Names{"spot"});
  const auto changed =
      t.ask("UpdateAutoScalingGroup",
            {{"AutoScalingGroupName", "g"},
             {policy + "InstancesDistribution.SpotAllocationStrategy", "cheapest"}});
  EXPECT_TRUE(
      changed.error().starts_with("ValidationError: SpotAllocationStrategy: found cheapest"))
      << changed.body();
}

TEST(Autoscaling, LaunchesSpotInstancesIfTheTemplateRequestsThem) {
  AutoscalingBackend t;
  t.ec2("CreateLaunchTemplate",
        {{"LaunchTemplateName", "lt-spot"},
         {"LaunchTemplateData.ImageId", "ami-0123456789abcdef0"},
         {"LaunchTemplateData.InstanceType", "p3.2xlarge"},
         {"LaunchTemplateData.InstanceMarketOptions.MarketType", "spot"},
         {"LaunchTemplateData.InstanceMarketOptions.SpotOptions.MaxPrice", "0.5"}});
  const auto made =
      t.ask("CreateAutoScalingGroup", {{"AutoScalingGroupName", "g"},
                                       {"MinSize", "1"},
                                       {"MaxSize", "1"},
                                       {"AvailabilityZones.member.1", "us-west-2a"},
                                       {"LaunchTemplate.LaunchTemplateName", "lt-spot"},
                                       {"LaunchTemplate.Version", "$Latest"}});
  ASSERT_EQ(made.status(), 200) << made.body();
  t.run(10s);
  EXPECT_TRUE(t.ask("DescribeScalingActivities")
                  .at("Activities/member/StatusMessage")
                  .starts_with("Could not launch Spot Instances. SpotMaxPriceTooLow - "));
}

TEST(Autoscaling, WaitsForLifecycleActionsAndReportsTheTargetState) {
  AutoscalingBackend t;
  t.configuration();
  const std::string hook = "LifecycleHookSpecificationList.member.1.";
  const auto id = t.group({{hook + "LifecycleHookName", "save"},
                           {hook + "LifecycleTransition", "autoscaling:EC2_INSTANCE_TERMINATING"},
                           {hook + "HeartbeatTimeout", "300"},
                           {hook + "DefaultResult", "CONTINUE"}});
  const Handler metadata = imds(t.backend, {id});
  const auto target = [&] {
    Request request{boost::beast::http::verb::get,
                    "/latest/meta-data/autoscaling/target-lifecycle-state", 11};
    return metadata(request).response.body();
  };
  EXPECT_EQ(target(), "InService");
  const auto ended = t.ask("TerminateInstanceInAutoScalingGroup",
                           {{"InstanceId", id}, {"ShouldDecrementDesiredCapacity", "true"}});
  EXPECT_EQ(ended.at("Activity/StatusCode"), "MidLifecycleAction");
  EXPECT_EQ(target(), "Terminated");
  EXPECT_EQ(t.state(), "Terminating:Wait");
  const Fields action{
      {"AutoScalingGroupName", "g"}, {"LifecycleHookName", "save"}, {"InstanceId", id}};
  EXPECT_EQ(t.ask("RecordLifecycleActionHeartbeat", action).status(), 200);
  Fields complete = action;
  complete.emplace_back("LifecycleActionResult", "CONTINUE");
  EXPECT_EQ(t.ask("CompleteLifecycleAction", complete).status(), 200);
  EXPECT_EQ(t.state(), "Terminating:Proceed");
  EXPECT_EQ(t.ask("CompleteLifecycleAction", complete).error(),
            "ValidationError: No active Lifecycle Action found with instance ID " + id);
  t.run(2min);
  EXPECT_EQ(t.state(), "");
}

TEST(Autoscaling, PagesItsLists) {
  AutoscalingBackend t;
  for (const char* name : {"a", "b", "c"})
    t.ask("CreateLaunchConfiguration", {{"LaunchConfigurationName", name},
                                        {"ImageId", "ami-0123456789abcdef0"},
                                        {"InstanceType", "p3.2xlarge"}});
  const auto first = t.ask("DescribeLaunchConfigurations", {{"MaxRecords", "2"}});
  EXPECT_EQ(first.all("LaunchConfigurations/member/LaunchConfigurationName"), (Names{"a", "b"}));
  const auto second = t.ask("DescribeLaunchConfigurations",
                            {{"MaxRecords", "2"}, {"NextToken", first.at("NextToken")}});
  EXPECT_EQ(second.all("LaunchConfigurations/member/LaunchConfigurationName"), Names{"c"});
  EXPECT_EQ(second.at("NextToken"), "");
  EXPECT_TRUE(t.ask("DescribeTags", {{"NextToken", first.at("NextToken")}})
                  .error()
                  .starts_with("InvalidNextToken: "));
}

TEST(Autoscaling, ManagesTagsSchedulesAndProcesses) {
  AutoscalingBackend t;
  t.configuration();
  t.group();
  const std::string tag = "Tags.member.1.";
  EXPECT_EQ(t.ask("CreateOrUpdateTags", {{tag + "ResourceId", "g"},
                                         {tag + "ResourceType", "auto-scaling-group"},
                                         {tag + "Key", "team"},
                                         {tag + "Value", "vision"},
                                         {tag + "PropagateAtLaunch", "false"}})
                .status(),
            200);
  EXPECT_EQ(t.ask("DescribeTags",
                  {{"Filters.member.1.Name", "key"}, {"Filters.member.1.Values.member.1", "team"}})
                .at("Tags/member/Value"),
            "vision");
  EXPECT_EQ(t.ask("DescribeTags", {{"Filters.member.1.Name", "propagate-at-launch"},
                                   {"Filters.member.1.Values.member.1", "False"}})
                .at("Tags/member/Value"),
            "vision");
  EXPECT_EQ(t.ask("DescribeAutoScalingGroups", {{"Filters.member.1.Name", "tag:team"},
                                                {"Filters.member.1.Values.member.1", "other"}})
                .all("AutoScalingGroups/member")
                .size(),
            0u);
  EXPECT_EQ(t.ask("PutScheduledUpdateGroupAction", {{"AutoScalingGroupName", "g"},
                                                    {"ScheduledActionName", "night"},
                                                    {"Recurrence", "0 20 * * *"},
                                                    {"DesiredCapacity", "0"}})
                .status(),
            200);
  const auto scheduled = t.ask("DescribeScheduledActions", {{"AutoScalingGroupName", "g"}});
  EXPECT_EQ(scheduled.at("ScheduledUpdateGroupActions/member/StartTime").substr(0, 19),
            "2019-11-05T20:00:00");
  EXPECT_EQ(t.ask("SuspendProcesses",
                  {{"AutoScalingGroupName", "g"}, {"ScalingProcesses.member.1", "Launch"}})
                .status(),
            200);
  EXPECT_EQ(t.ask("DescribeAutoScalingGroups")
                .at("AutoScalingGroups/member/SuspendedProcesses/member/ProcessName"),
            "Launch");
  EXPECT_TRUE(t.ask("StartInstanceRefresh", {{"AutoScalingGroupName", "g"}})
                  .error()
                  .starts_with("UnsupportedOperation: Instance refresh is not part"));
}

}  // namespace
}  // namespace fakes
