#include <gtest/gtest.h>

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
  EXPECT_EQ(refused("SpotMaxTotalPrice", "5"), "UnsupportedOperation");
  EXPECT_EQ(refused("AllocationStrategy", "bestOfAll"), "InvalidParameterValue");
  EXPECT_EQ(refused("InstanceInterruptionBehavior", "sleep"), "InvalidParameterValue");
  EXPECT_EQ(refused("OnDemandTargetCapacity", "1"), "UnsupportedOperation");
  EXPECT_EQ(refused("LaunchSpecifications.1.Shoe", "44"), "UnknownParameter");
  EXPECT_EQ(refused("ValidFrom", "2030-01-01T00:00:00Z"), "UnsupportedOperation");
  EXPECT_TRUE(t.cloud.fleets().empty());
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

TEST(Ec2SpotRequests, ASecurityGroupsIdIsOne) {
  TestBackend t;
  const auto refused = [&](const char* id) {
    return t.ec2("RunInstances", {{"ImageId", "ami-1"},
                                  {"InstanceType", "p3.2xlarge"},
                                  {"MinCount", "1"},
                                  {"MaxCount", "1"},
                                  {"SecurityGroupId.1", id}});
  };
  for (const char* id : {"", "default"})
    EXPECT_EQ(refused(id).code(), "InvalidGroupId.Malformed") << id;
  EXPECT_EQ(refused("default").message(), "Invalid id: \"default\" (expecting \"sg-...\")");
  for (const char* id : {"sg-", "sg-1", "sg-0123456789abcdefg"})
    EXPECT_EQ(refused(id).code(), "InvalidGroup.NotFound") << id;
  EXPECT_TRUE(t.cloud.instances().empty());
}

TEST(Ec2SpotRequests, ARequestIsFulfilledAndCancelledWhileItsInstanceRuns) {
  TestBackend t;
  const auto made = t.ec2("RequestSpotInstances",
                          {{"SpotPrice", "1"},
                           {"LaunchSpecification.ImageId", "ami-1"},
                           {"LaunchSpecification.InstanceType", "p3.2xlarge"},
                           {"LaunchSpecification.SecurityGroupId.1", "sg-0123456789abcdef0"},
                           {"TagSpecification.1.ResourceType", "spot-instances-request"},
                           {"TagSpecification.1.Tag.1.Key", "k"}});
  const std::string item = "spotInstanceRequestSet/item/";
  const auto id = made.at(item + "spotInstanceRequestId");
  EXPECT_EQ(made.at(item + "state"), "open");
  t.run(1min);
  const auto active = t.ec2("DescribeSpotInstanceRequests",
                            {{"Filter.1.Name", "tag-key"}, {"Filter.1.Value.1", "k"}});
  EXPECT_EQ(active.at(item + "status/code"), "fulfilled");
  EXPECT_EQ(active.at(item + "launchedAvailabilityZone"), "us-west-2b");
  EXPECT_EQ(
      t.ec2("CancelSpotInstanceRequests", {{"SpotInstanceRequestId.1", id}}).at(item + "state"),
      "cancelled");
  EXPECT_EQ(t.ec2("DescribeSpotInstanceRequests", {{"SpotInstanceRequestId.1", id}})
                .at(item + "status/code"),
            "request-canceled-and-instance-running");
}

TEST(Ec2SpotRequests, RunInstancesTagsItsRequest) {
  TestBackend t;
  const auto made =
      t.ec2("RunInstances", {{"ImageId", "ami-1"},
                             {"InstanceType", "p3.2xlarge"},
                             {"MinCount", "1"},
                             {"MaxCount", "1"},
                             {"InstanceMarketOptions.MarketType", "spot"},
                             {"TagSpecification.1.ResourceType", "instance"},
                             {"TagSpecification.1.Tag.1.Key", "k"},
                             {"TagSpecification.2.ResourceType", "spot-instances-request"},
                             {"TagSpecification.2.Tag.1.Key", "of"},
                             {"TagSpecification.2.Tag.1.Value", "the request"}});
  const auto request = made.at("instancesSet/item/spotInstanceRequestId");
  const auto tagged = t.ec2("DescribeSpotInstanceRequests",
                            {{"Filter.1.Name", "tag:of"}, {"Filter.1.Value.1", "the request"}});
  EXPECT_EQ(tagged.all("spotInstanceRequestSet/item/spotInstanceRequestId"), Texts{request});
  EXPECT_EQ(made.all("instancesSet/item/tagSet/item/key"), Texts{"k"});
}

TEST(Ec2SpotRequests, RunInstancesTakesMarketOptions) {
  TestBackend t;
  const auto run = [&](const std::string& price, const Fields& more = {}) {
    Fields fields{{"ImageId", "ami-1"},
                  {"InstanceType", "p3.2xlarge"},
                  {"MinCount", "1"},
                  {"MaxCount", "1"},
                  {"Placement.AvailabilityZone", "us-west-2a"},
                  {"InstanceMarketOptions.MarketType", "spot"},
                  {"InstanceMarketOptions.SpotOptions.MaxPrice", price}};
    fields.insert(fields.end(), more.begin(), more.end());
    return t.ec2("RunInstances", fields);
  };
  EXPECT_EQ(run("0.5").code(), "SpotMaxPriceTooLow");
  EXPECT_EQ(run("0.5").message(),
            "Your Spot request price of 0.5 is lower than the minimum required Spot request "
            "fulfillment price of 0.918.");
  const auto made = run("1.5");
  EXPECT_EQ(made.at("instancesSet/item/instanceLifecycle"), "spot");
  const auto request = made.at("instancesSet/item/spotInstanceRequestId");
  const auto described =
      t.ec2("DescribeSpotInstanceRequests", {{"SpotInstanceRequestId.1", request}});
  EXPECT_EQ(described.at("spotInstanceRequestSet/item/status/code"), "fulfilled");
  EXPECT_EQ(described.at("spotInstanceRequestSet/item/spotPrice"), "1.500000");
  t.cloud.market().set_capacity({"p3.2xlarge", "us-west-2a"}, 1);
  const auto full = run("1.5");
  EXPECT_EQ(full.code(), "InsufficientInstanceCapacity");
  EXPECT_EQ(full.status(), 500);
  const std::string options = "InstanceMarketOptions.SpotOptions.";
  EXPECT_EQ(run("1.5", {{options + "SpotInstanceType", "persistent"}}).code(),
            "InvalidParameterCombination");
  EXPECT_EQ(run("1.5", {{options + "BlockDurationMinutes", "60"}}).code(), "UnsupportedOperation");
}

TEST(Ec2SpotPrices, ThePriceInForceAtTheStartComesToo) {
  TestBackend t;
  t.run(2h);
  const auto answer = t.ec2("DescribeSpotPriceHistory", {{"InstanceType.1", "p3.2xlarge"},
                                                         {"ProductDescription.1", "Linux/UNIX"},
                                                         {"AvailabilityZone", "us-west-2b"},
                                                         {"StartTime", "2019-11-05T10:30:00Z"}});
  EXPECT_EQ(answer.all("spotPriceHistorySet/item/spotPrice"), (Texts{"1.100000", "0.900000"}));
  EXPECT_EQ(answer.all("spotPriceHistorySet/item/timestamp"),
            (Texts{"2019-11-05T11:00:00.000Z", "2019-11-05T10:00:00.000Z"}));
}

TEST(Ec2SpotPrices, AZoneOfAnotherRegionIsRefused) {
  TestBackend t;
  const auto answer = t.ec2("DescribeSpotPriceHistory", {{"AvailabilityZone", "us-east-1a"}});
  EXPECT_EQ(answer.code(), "InvalidParameterValue");
  EXPECT_EQ(answer.message(), "Invalid availability zone: [us-east-1a]");
  EXPECT_EQ(t.ec2("DescribeSpotPriceHistory", {{"AvailabilityZone", "us-west-2c"}}).code(), "")
      << "it has no prices, and exists";
}

TEST(Ec2SpotPrices, ComeNewestFirstPageByPageWithEitherNameOfTheProduct) {
  TestBackend t;
  t.run(2h);
  for (const char* product : {"Linux/UNIX", "Linux/UNIX (Amazon VPC)"}) {
    Texts times;
    std::string token;
    do {
      Fields fields{{"MaxResults", "1"},
                    {"Filter.1.Name", "product-description"},
                    {"Filter.1.Value.1", product}};
      if (!token.empty()) fields.emplace_back("NextToken", token);
      const auto page = t.ec2("DescribeSpotPriceHistory", fields);
      times.push_back(page.at("spotPriceHistorySet/item/timestamp"));
      token = page.at("nextToken");
    } while (!token.empty());
    EXPECT_EQ(times, (Texts{"2019-11-05T11:00:00.000Z", "2019-11-05T10:00:00.000Z",
                            "2019-11-05T10:00:00.000Z"}))
        << product;
  }
}

TEST(Ec2SpotPrices, FuturePricesAreNotReported) {
  TestBackend t;
  const auto answer = t.ec2("DescribeSpotPriceHistory", {{"EndTime", "2030-01-01T00:00:00Z"},
                                                         {"StartTime", "2029-01-01T00:00:00Z"}});
  EXPECT_EQ(answer.all("spotPriceHistorySet/item/spotPrice"), (Texts{"0.918000", "0.900000"}));
}

TEST(Aws, TheSignatureDeterminesTheService) {
  TestBackend t;
  const std::string body = "Action=DescribeVolumes&Version=2016-11-15";
  const auto status = [&](const char* authorization) {
    return t.send(TestBackend::post(body, authorization));
  };
  EXPECT_EQ(status(kSignature).status(), 200);
  EXPECT_EQ(status(nullptr).status(), 403);
  EXPECT_EQ(status(nullptr).at("Error/Code"), "MissingAuthenticationToken");
  EXPECT_EQ(status("Bearer x").at("Error/Code"), "IncompleteSignature");
  EXPECT_EQ(status("AWS4-HMAC-SHA256 Credential=A/20191105/us-west-2/ec2, SignedHeaders=host, "
                   "Signature=0")
                .at("Error/Code"),
            "IncompleteSignature");
  const auto region = status(
      "AWS4-HMAC-SHA256 Credential=A/20191105/eu-west-1/ec2/aws4_request, "
      "SignedHeaders=host, Signature=0");
  EXPECT_EQ(region.status(), 401);
  EXPECT_EQ(region.code(), "AuthFailure");
  const auto other = status(
      "AWS4-HMAC-SHA256 Credential=A/20191105/us-west-2/kinesis/aws4_request, "
      "SignedHeaders=host, Signature=0");
  EXPECT_EQ(other.at("Error/Code"), "NotImplemented");
  EXPECT_EQ(other.at("Error/Message"), "The service 'kinesis' is not part of this simulated AWS.");
  EXPECT_EQ(t.events.back().fields["result"], "NotImplemented");
  EXPECT_EQ(t.events.back().fields["service"], "kinesis");
  EXPECT_EQ(t.events.back().fields["action"], "DescribeVolumes");
}

TEST(Aws, AServiceThatIsNotThereAnswersInItsProtocol) {
  TestBackend t;
  const auto ask = [&](const std::string& service, const char* target, const Fields& headers) {
    Request request{boost::beast::http::verb::get, target, 11};
    request.set("Authorization", "AWS4-HMAC-SHA256 Credential=A/20191105/us-west-2/" + service +
                                     "/aws4_request, SignedHeaders=host, Signature=0");
    for (const auto& [name, value] : headers) request.set(name, value);
    return t.api(request).response;
  };
  const std::string json =
      R"({"__type":"NotImplemented","message":"The service 'NAME' is not part of this )"
      R"(simulated AWS."})";
  const auto of = [&](const std::string& name) {
    std::string text = json;
    return text.replace(text.find("NAME"), 4, name);
  };
  const auto lambda = ask("lambda", "/2015-03-31/functions", {});
  EXPECT_EQ(lambda.result_int(), 501u);
  EXPECT_EQ(lambda["content-type"], "application/json");
  EXPECT_EQ(lambda.body(), of("lambda"));
  EXPECT_EQ(ask("dynamodb", "/", {{"X-Amz-Target", "DynamoDB_20120810.ListTables"}}).body(),
            of("dynamodb"));
  const auto metrics = ask("monitoring", "/service/GraniteServiceVersion20100801/operation/X",
                           {{"smithy-protocol", "rpc-v2-cbor"}});
  EXPECT_EQ(metrics["smithy-protocol"], "rpc-v2-cbor");
  EXPECT_EQ(nlohmann::json::from_cbor(metrics.body()).at("__type"), "NotImplemented")
      << "CloudWatch is there, but not in this protocol";
  for (const char* xml : {"route53", "cloudfront"})
    EXPECT_TRUE(ask(xml, "/2013-04-01/hostedzone", {}).body().starts_with("<?xml")) << xml;
  EXPECT_TRUE(ask("iam", "/?Action=ListRoles&Version=2010-05-08", {}).body().starts_with("<?xml"));
}

TEST(Aws, ASignedUrlWorksToo) {
  TestBackend t;
  Request request{
      boost::beast::http::verb::get,
      "/?Action=DescribeVolumes&Version=2016-11-15&X-Amz-Algorithm=AWS4-HMAC-SHA256&"
      "X-Amz-Credential=A%2F20191105%2Fus-west-2%2Fec2%2Faws4_request&X-Amz-Signature=0",
      11};
  EXPECT_EQ(t.send(request).status(), 200);
  const std::string signed_form =
      "Action=DescribeVolumes&Version=2016-11-15&X-Amz-Algorithm=AWS4-HMAC-SHA256&"
      "X-Amz-Credential=A%2F20191105%2Fus-west-2%2Fec2%2Faws4_request&X-Amz-Signature=0";
  EXPECT_EQ(t.send(TestBackend::post(signed_form, nullptr)).status(), 200);
}

}  // namespace
}  // namespace fakes
