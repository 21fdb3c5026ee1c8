// Spot fleets in EC2's API.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

using Texts = std::vector<std::string>;

// A complete, real SpotFleetRequestConfig as botocore sends it.
Fields fleet_fields() {
  const std::string c = "SpotFleetRequestConfig.", s = c + "LaunchSpecifications.1.";
  return {{c + "AllocationStrategy", "lowestPrice"},
          {c + "IamFleetRole", "arn:aws:iam::123456789012:role/fleet"},
          {c + "TargetCapacity", "1"},
          {c + "SpotPrice", "3.06"},
          {c + "Type", "maintain"},
          {c + "ReplaceUnhealthyInstances", "true"},
          {c + "TerminateInstancesWithExpiration", "true"},
          {c + "InstanceInterruptionBehavior", "terminate"},
          {c + "ValidFrom", "2019-01-01T00:00:00Z"},
          {c + "ValidUntil", "2019-11-06T10:00:00Z"},
          {c + "TagSpecification.1.ResourceType", "spot-fleet-request"},
          {c + "TagSpecification.1.Tag.1.Key", "job"},
          {c + "TagSpecification.1.Tag.1.Value", "az-hop"},
          {s + "ImageId", "ami-0123456789abcdef0"},
          {s + "InstanceType", "p3.2xlarge"},
          {s + "KeyName", "me"},
          {s + "EbsOptimized", "false"},
          {s + "Monitoring.Enabled", "false"},
          {s + "SpotPrice", "1.5"},
          {s + "WeightedCapacity", "1"},
          {s + "Placement.AvailabilityZone", "us-west-2a, us-west-2b"},
          {s + "Placement.Tenancy", "default"},
          {s + "GroupSet.1.GroupId", "sg-0123456789abcdef0"},
          {s + "IamInstanceProfile.Arn", "arn:aws:iam::123456789012:instance-profile/job"},
          {s + "BlockDeviceMapping.1.DeviceName", "/dev/sda1"},
          {s + "BlockDeviceMapping.1.Ebs.VolumeSize", "80"},
          {s + "BlockDeviceMapping.1.Ebs.VolumeType", "gp2"},
          {s + "BlockDeviceMapping.1.Ebs.DeleteOnTermination", "true"},
          {s + "TagSpecificationSet.1.ResourceType", "instance"},
          {s + "TagSpecificationSet.1.Tag.1.Key", "Name"},
          {s + "TagSpecificationSet.1.Tag.1.Value", "trainer"},
          {s + "UserData", "IyEvYmluL2Jhc2gK"}};
}

Fields with(Fields fields, const std::string& name, const std::string& value) {
  std::erase_if(fields, [&](const auto& f) { return f.first == "SpotFleetRequestConfig." + name; });
  fields.emplace_back("SpotFleetRequestConfig." + name, value);
  return fields;
}

TEST(Ec2SpotFleet, ARealConfigurationLaunchesInTheCheapestOfItsZones) {
  TestBackend t;
  const auto id = t.ec2("RequestSpotFleet", fleet_fields()).at("spotFleetRequestId");
  ASSERT_TRUE(id.starts_with("sfr-"));
  t.run(2min);
  const auto active = t.ec2("DescribeSpotFleetInstances", {{"SpotFleetRequestId", id}});
  const auto instance = active.at("activeInstanceSet/item/instanceId");
  const auto described = t.ec2("DescribeInstances", {{"InstanceId.1", instance}});
  const std::string item = "reservationSet/item/instancesSet/item/";
  EXPECT_EQ(described.at(item + "placement/availabilityZone"), "us-west-2b");
  EXPECT_EQ(described.at(item + "instanceLifecycle"), "spot");
  EXPECT_EQ(described.at(item + "spotInstanceRequestId"),
            active.at("activeInstanceSet/item/spotInstanceRequestId"));
  EXPECT_EQ(described.at(item + "tagSet/item[key='Name']/value"), "trainer");
  EXPECT_EQ(described.at(item + "tagSet/item[key='aws:ec2spot:fleet-request-id']/value"), id);
  EXPECT_EQ(described.at(item + "iamInstanceProfile/arn"),
            "arn:aws:iam::123456789012:instance-profile/job");
  EXPECT_EQ(described.at(item + "groupSet/item/groupId"), "sg-0123456789abcdef0");
  EXPECT_EQ(t.cloud.instance({instance}).spec.user_data, "#!/bin/bash\n");
}

TEST(Ec2SpotFleet, ALaunchSpecificationTagsInstancesAlone) {
  TestBackend t;
  Fields fields = fleet_fields();
  for (auto& [name, value] : fields)
    if (name.ends_with("TagSpecificationSet.1.ResourceType")) value = "volume";
  EXPECT_EQ(t.ec2("RequestSpotFleet", fields).code(), "InvalidParameterValue");
}

TEST(Ec2SpotFleet, TheRequestIsDescribedAsItWasMade) {
  TestBackend t;
  const auto id = t.ec2("RequestSpotFleet", fleet_fields()).at("spotFleetRequestId");
  t.run(1min);
  const auto answer = t.ec2("DescribeSpotFleetRequests", {{"SpotFleetRequestId.1", id}});
  const std::string item = "spotFleetRequestConfigSet/item/";
  const std::string config = item + "spotFleetRequestConfig/";
  EXPECT_EQ(answer.at(item + "spotFleetRequestState"), "active");
  EXPECT_EQ(answer.at(item + "activityStatus"), "fulfilled");
  EXPECT_EQ(answer.at(item + "tagSet/item/value"), "az-hop");
  EXPECT_EQ(answer.at(config + "iamFleetRole"), "arn:aws:iam::123456789012:role/fleet");
  EXPECT_EQ(answer.at(config + "targetCapacity"), "1");
  EXPECT_EQ(answer.at(config + "spotPrice"), "3.06");
  EXPECT_EQ(answer.at(config + "validFrom"), "2019-01-01T00:00:00.000Z");
  EXPECT_EQ(answer.at(config + "validUntil"), "2019-11-06T10:00:00.000Z");
  EXPECT_EQ(answer.at(config + "TagSpecification/item/resourceType"), "spot-fleet-request");
  EXPECT_EQ(answer.at(config + "TagSpecification/item/Tag/item/value"), "az-hop");
  const std::string tags = config + "launchSpecifications/item[1]/tagSpecificationSet/item/";
  EXPECT_EQ(answer.at(tags + "resourceType"), "instance");
  EXPECT_EQ(answer.at(tags + "tag/item/value"), "trainer");
  t.ec2("CreateTags", {{"ResourceId.1", id}, {"Tag.1.Key", "job"}, {"Tag.1.Value", "now"}});
  const auto tagged = t.ec2("DescribeSpotFleetRequests");
  EXPECT_EQ(tagged.at(item + "tagSet/item/value"), "now");
  EXPECT_EQ(tagged.at(config + "TagSpecification/item/Tag/item/value"), "az-hop");
  EXPECT_EQ(answer.all(config + "launchSpecifications/item/placement/availabilityZone"),
            (Texts{"us-west-2a", "us-west-2b"}));
  EXPECT_EQ(answer.at(config + "launchSpecifications/item/userData"), "IyEvYmluL2Jhc2gK");
}

TEST(Ec2SpotFleet, KeepsItsInstancesAboveALoweredTargetIfAsked) {
  TestBackend t;
  const auto id = t.ec2("RequestSpotFleet", with(fleet_fields(), "TargetCapacity", "2"))
                      .at("spotFleetRequestId");
  t.run(1min);
  const auto lower = [&](const char* policy) {
    t.ec2("ModifySpotFleetRequest", {{"SpotFleetRequestId", id},
                                     {"TargetCapacity", "1"},
                                     {"ExcessCapacityTerminationPolicy", policy}});
    t.run(5min);
    return t.ec2("DescribeSpotFleetInstances", {{"SpotFleetRequestId", id}})
        .all("activeInstanceSet/item/instanceId")
        .size();
  };
  const std::string policy =
      "spotFleetRequestConfigSet/item/spotFleetRequestConfig/excessCapacityTerminationPolicy";
  EXPECT_EQ(lower("noTermination"), 2U);
  EXPECT_EQ(t.ec2("DescribeSpotFleetRequests").at(policy), "noTermination");
  EXPECT_EQ(lower("default"), 1U);
  EXPECT_EQ(t.ec2("DescribeSpotFleetRequests").at(policy), "default");
}

TEST(Ec2SpotFleet, CancelledWithInstancesEachRequestHasItsStatus) {
  TestBackend t;
  const auto id = t.ec2("RequestSpotFleet", fleet_fields()).at("spotFleetRequestId");
  t.run(1min);
  const std::string other = "sfr-00000000-0000-4000-8000-000000000000";
  const Fields both{{"SpotFleetRequestId.1", id},
                    {"SpotFleetRequestId.2", other},
                    {"TerminateInstances", "true"}};
  const auto answer = t.ec2("CancelSpotFleetRequests", both);
  const std::string good = "successfulFleetRequestSet/item/",
                    bad = "unsuccessfulFleetRequestSet/item/";
  EXPECT_EQ(answer.at(good + "currentSpotFleetRequestState"), "cancelled_terminating");
  EXPECT_EQ(answer.at(good + "previousSpotFleetRequestState"), "active");
  EXPECT_EQ(answer.at(bad + "spotFleetRequestId"), other);
  EXPECT_EQ(answer.at(bad + "error/code"), "fleetRequestIdDoesNotExist");
  EXPECT_EQ(t.ec2("CancelSpotFleetRequests", both).at(bad + "error/code"),
            "fleetRequestNotInCancellableState");
  t.run(2min);
  EXPECT_EQ(t.ec2("DescribeSpotFleetRequests")
                .at("spotFleetRequestConfigSet/item/"
                    "spotFleetRequestState"),
            "cancelled");
}

TEST(Ec2SpotFleet, CancellingWithoutAnIdIsAnError) {
  TestBackend t;
  EXPECT_EQ(t.ec2("CancelSpotFleetRequests", {{"TerminateInstances", "true"}}).code(),
            "MissingParameter");
  EXPECT_EQ(t.ec2("CancelSpotFleetRequests",
                  {{"SpotFleetRequestId.1", ""}, {"TerminateInstances", "true"}})
                .at("unsuccessfulFleetRequestSet/item/error/code"),
            "fleetRequestIdMalformed");
}

TEST(Ec2SpotFleet, ExpiresWithItsValidity) {
  TestBackend t;
  const auto id =
      t.ec2("RequestSpotFleet", with(fleet_fields(), "ValidUntil", "2019-11-05T12:00:00Z"))
          .at("spotFleetRequestId");
  t.run(119min);
  EXPECT_EQ(t.cloud.fleet({id}).instances.size(), 1U);
  t.run(5min);
  EXPECT_EQ(t.cloud.fleet({id}).state, sim::cloud::FleetState::kCancelled);
}

TEST(Ec2SpotFleet, WaitsForTheBeginningOfItsValidity) {
  TestBackend t;
  const auto id =
      t.ec2("RequestSpotFleet", with(fleet_fields(), "ValidFrom", "2019-11-05T11:00:00Z"))
          .at("spotFleetRequestId");
  t.run(59min);
  EXPECT_EQ(t.cloud.fleet({id}).state, sim::cloud::FleetState::kSubmitted);
  EXPECT_TRUE(t.cloud.anything_running());
  t.run(5min);
  EXPECT_EQ(t.cloud.fleet({id}).state, sim::cloud::FleetState::kActive);
  EXPECT_EQ(t.cloud.fleet({id}).instances.size(), 1U);
}

const std::string kFleet = "SpotFleetRequestConfig.",
                  kFromTemplate = kFleet + "LaunchTemplateConfigs.1.";

// Requests a fleet of a launch template.
std::string request_of_template(const TestBackend& t, const std::string& target,
                                const Fields& more) {
  t.ec2("CreateLaunchTemplate", {{"LaunchTemplateName", "trainer"},
                                 {"LaunchTemplateData.ImageId", "ami-0123456789abcdef0"},
                                 {"LaunchTemplateData.InstanceType", "p3.2xlarge"}});
  Fields fields{{kFleet + "IamFleetRole", "arn:aws:iam::123456789012:role/fleet"},
                {kFleet + "TargetCapacity", target},
                {kFromTemplate + "LaunchTemplateSpecification.LaunchTemplateName", "trainer"},
                {kFromTemplate + "LaunchTemplateSpecification.Version", "1"}};
  fields.insert(fields.end(), more.begin(), more.end());
  return t.ec2("RequestSpotFleet", fields).at("spotFleetRequestId");
}

Fields v100() {
  const std::string needs = kFromTemplate + "Overrides.1.InstanceRequirements.";
  return {{needs + "VCpuCount.Min", "2"},
          {needs + "MemoryMiB.Min", "0"},
          {needs + "AcceleratorNameSet.1", "v100"}};
}

TEST(Ec2SpotFleet, ChoosesTypesByAttributes) {
  TestBackend t;
  const auto id = request_of_template(t, "1", v100());
  t.run(2min);
  ASSERT_EQ(t.cloud.fleet({id}).instances.size(), 1U);
  EXPECT_EQ(t.cloud.instance(t.cloud.fleet({id}).instances[0]).spec.instance_type, "p3.2xlarge");
}

TEST(Ec2SpotFleet, IsProtectedFromPricesAlsoWhileItHasNoCapacity) {
  TestBackend t;
  const auto types = [&](const char* target) {
    std::set<std::string> found;
    for (const auto& spec : t.cloud.fleet({request_of_template(t, target, v100())}).launch_specs)
      found.insert(spec.instance_type);
    return found;
  };
  EXPECT_EQ(types("0"), types("1"));
}

TEST(Ec2SpotFleet, HasAnOnDemandPart) {
  TestBackend t;
  const auto id = request_of_template(t, "3",
                                      {{kFleet + "OnDemandTargetCapacity", "2"},
                                       {kFleet + "OnDemandMaxTotalPrice", "4"},
                                       {kFleet + "OnDemandAllocationStrategy", "prioritized"}});
  t.run(2min);
  const auto config = [&](const std::string& member) {
    return t.ec2("DescribeSpotFleetRequests")
        .at("spotFleetRequestConfigSet/item/spotFleetRequestConfig/" + member);
  };
  EXPECT_EQ(config("onDemandFulfilledCapacity"), "1.0") << "3.06 each";
  EXPECT_EQ(config("fulfilledCapacity"), "2.0");
  EXPECT_EQ(config("onDemandTargetCapacity"), "2");
  EXPECT_EQ(config("onDemandAllocationStrategy"), "prioritized");
  const auto modified = [&](const std::string& target, const std::string& on_demand) {
    Fields fields{{"SpotFleetRequestId", id}, {"TargetCapacity", target}};
    if (!on_demand.empty()) fields.emplace_back("OnDemandTargetCapacity", on_demand);
    return t.ec2("ModifySpotFleetRequest", fields).code();
  };
  EXPECT_EQ(modified("1", ""), "InvalidParameterValue") << "the part is larger";
  EXPECT_EQ(modified("4", "1"), "");
  t.run(2min);
  EXPECT_EQ(config("fulfilledCapacity"), "4.0");
  EXPECT_EQ(config("onDemandFulfilledCapacity"), "1.0");
}

TEST(Ec2SpotFleet, HistoryListsEventsSinceATime) {
  TestBackend t;
  const auto id = t.ec2("RequestSpotFleet", fleet_fields()).at("spotFleetRequestId");
  t.run(1min);
  const auto all = t.ec2("DescribeSpotFleetRequestHistory",
                         {{"SpotFleetRequestId", id}, {"StartTime", "2019-11-05T00:00:00Z"}});
  EXPECT_EQ(all.at("historyRecordSet/item/eventInformation/eventSubType"), "submitted");
  const auto launches =
      t.ec2("DescribeSpotFleetRequestHistory", {{"SpotFleetRequestId", id},
                                                {"EventType", "instanceChange"},
                                                {"StartTime", "2019-11-05T00:00:00Z"}});
  EXPECT_EQ(launches.at("historyRecordSet/item/eventInformation/instanceId"),
            t.cloud.fleet({id}).instances.at(0).value);
  const std::string image = t.cloud.instance(t.cloud.fleet({id}).instances.at(0)).spec.image_id;
  EXPECT_EQ(launches.at("historyRecordSet/item/eventInformation/eventDescription"),
            R"({"instanceType":"p3.2xlarge","image":")" + image +
                R"(","productDescription":"Linux/UNIX","availabilityZone":"us-west-2b"})");
}

TEST(Ec2SpotFleet, ActivityStatusFollowsTheFleet) {
  TestBackend t;
  const auto id = t.ec2("RequestSpotFleet", fleet_fields()).at("spotFleetRequestId");
  const auto activity = [&] {
    return t.ec2("DescribeSpotFleetRequests").at("spotFleetRequestConfigSet/item/activityStatus");
  };
  const auto modified = [&](const char* target) {
    return t.ec2("ModifySpotFleetRequest", {{"SpotFleetRequestId", id}, {"TargetCapacity", target}})
        .code();
  };
  EXPECT_EQ(activity(), "pending_fulfillment");
  EXPECT_EQ(modified("2"), "FleetNotInModifiableState");
  t.run(1min);
  EXPECT_EQ(activity(), "fulfilled");
  for (const char* zone : {"us-west-2a", "us-west-2b"})
    t.cloud.market().set_capacity({"p3.2xlarge", zone}, 1);
  modified("3");
  EXPECT_EQ(activity(), "pending_fulfillment");
  t.run(1min);
  EXPECT_EQ(activity(), "error") << "there is room for two";
  modified("1");
  t.run(5s);
  EXPECT_EQ(activity(), "pending_termination");
  t.run(2min);
  EXPECT_EQ(activity(), "fulfilled");
}

TEST(Ec2SpotFleet, AllocatesByTheStrategiesOfEc2) {
  for (const std::string strategy :
       {"lowestPrice", "diversified", "capacityOptimized", "priceCapacityOptimized"}) {
    TestBackend t;
    const auto id = t.ec2("RequestSpotFleet", with(fleet_fields(), "AllocationStrategy", strategy))
                        .at("spotFleetRequestId");
    EXPECT_EQ(t.ec2("DescribeSpotFleetRequests", {{"SpotFleetRequestId.1", id}})
                  .at("spotFleetRequestConfigSet/item/spotFleetRequestConfig/allocationStrategy"),
              strategy);
  }
  TestBackend t;
  const auto refused = t.ec2("RequestSpotFleet", with(fleet_fields(), "AllocationStrategy",
                                                      "capacityOptimizedPrioritized"));
  EXPECT_EQ(refused.code(), "InvalidSpotFleetRequestConfig");
  EXPECT_NE(refused.message().find("launch templates"), std::string::npos);
}

TEST(Ec2SpotFleet, WhatTheCloudDoesNotDoIsRefusedByName) {
  TestBackend t;
  const auto refused = [&](const std::string& name, const std::string& value) {
    const auto answer = t.ec2("RequestSpotFleet", with(fleet_fields(), name, value));
    const auto group = name.substr(0, name.find('.'));
    EXPECT_NE(answer.message().find(group), std::string::npos) << answer.message();
    return answer.code();
  };
  EXPECT_EQ(refused("SpotMaxTotalPrice", "-5"), "InvalidParameterValue");
  EXPECT_EQ(refused("AllocationStrategy", "bestOfAll"), "InvalidParameterValue");
  EXPECT_EQ(refused("InstanceInterruptionBehavior", "sleep"), "InvalidParameterValue");
  EXPECT_EQ(refused("OnDemandTargetCapacity", "1"), "InvalidSpotFleetRequestConfig")
      << "only with launch templates";
  EXPECT_EQ(refused("OnDemandTargetCapacity", "2"), "InvalidParameterValue") << "of one";
  EXPECT_EQ(refused("LaunchSpecifications.1.Shoe", "44"), "UnknownParameter");
  EXPECT_EQ(refused("ValidFrom", "2030-01-01T00:00:00Z"), "InvalidSpotFleetRequestConfig")
      << "after ValidUntil";
  EXPECT_TRUE(t.cloud.fleets().empty());
}

TEST(Ec2SpotFleet, LaunchesUpToItsMaximumPricePerHour) {
  TestBackend t;
  const auto id = t.ec2("RequestSpotFleet", with(with(fleet_fields(), "TargetCapacity", "5"),
                                                 "SpotMaxTotalPrice", "1.85"))
                      .at("spotFleetRequestId");
  t.run(5min);
  EXPECT_EQ(t.cloud.fleet({id}).instances.size(), 2U);
  EXPECT_EQ(t.ec2("DescribeSpotFleetRequests")
                .at("spotFleetRequestConfigSet/item/spotFleetRequestConfig/spotMaxTotalPrice"),
            "1.85");
}

TEST(Ec2SpotFleet, UsesAsManyPoolsAsItIsAskedTo) {
  TestBackend t;
  const auto with_pools = [](const std::string& pools) {
    return with(fleet_fields(), "InstancePoolsToUseCount", pools);
  };
  const auto id = t.ec2("RequestSpotFleet", with_pools("2")).at("spotFleetRequestId");
  EXPECT_EQ(t.cloud.fleet({id}).pools, 2);
  EXPECT_EQ(
      t.ec2("DescribeSpotFleetRequests")
          .at("spotFleetRequestConfigSet/item/spotFleetRequestConfig/instancePoolsToUseCount"),
      "2");
  EXPECT_EQ(t.ec2("RequestSpotFleet", with_pools("0")).code(), "InvalidParameterValue");
  EXPECT_EQ(
      t.ec2("RequestSpotFleet", with(with_pools("2"), "AllocationStrategy", "diversified")).code(),
      "InvalidSpotFleetRequestConfig");
}

TEST(Ec2SpotFleet, StopsWhatIsInterruptedIfItMaintainsItsCapacity) {
  TestBackend t;
  const Fields stop = with(fleet_fields(), "InstanceInterruptionBehavior", "stop");
  EXPECT_EQ(t.ec2("RequestSpotFleet", with(stop, "Type", "request")).code(),
            "InvalidParameterCombination");
  const auto id = t.ec2("RequestSpotFleet", stop).at("spotFleetRequestId");
  t.run(2min);
  EXPECT_EQ(t.ec2("DescribeSpotFleetRequests")
                .at("spotFleetRequestConfigSet/item/spotFleetRequestConfig/"
                    "instanceInterruptionBehavior"),
            "stop");
  const auto instance = t.cloud.fleet({id}).instances.at(0);
  t.cloud.interrupt(instance, sim::cloud::Notice::kGiven, "no-capacity");
  t.run(150s);
  EXPECT_EQ(t.ec2("DescribeInstances").at("reservationSet/item/instancesSet/item/stateReason/code"),
            "Server.SpotInstanceShutdown");
  t.run(5min);
  EXPECT_EQ(t.ec2("DescribeInstances").all("reservationSet/item/instancesSet/item/instanceId"),
            Texts{instance.value});
  EXPECT_EQ(t.cloud.instance(instance).state, sim::cloud::InstanceState::kRunning);
}

}  // namespace
}  // namespace fakes
