// What EC2 says about the account, about types and capacity, and the options of metadata services.
#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

using Texts = std::vector<std::string>;

TEST(Ec2Account, HasAttributes) {
  TestBackend t;
  const auto all = t.ec2("DescribeAccountAttributes");
  EXPECT_EQ(all.all("accountAttributeSet/item/attributeName").size(), 6U);
  const auto vpc = t.ec2("DescribeAccountAttributes", {{"AttributeName.1", "default-vpc"}});
  EXPECT_EQ(vpc.at("accountAttributeSet/item/attributeValueSet/item/attributeValue"),
            t.ec2("DescribeVpcs").at("vpcSet/item/vpcId"));
  EXPECT_EQ(t.ec2("DescribeAccountAttributes", {{"AttributeName.1", "age"}}).status(), 400);
}

TEST(Ec2TypeOfferings, AreThePlacesOfATypeInThreeForms) {
  TestBackend t;
  const auto places = [&](const std::string& kind) {
    Fields fields{{"Filter.1.Name", "instance-type"}, {"Filter.1.Value.1", "p3.2xlarge"}};
    if (!kind.empty()) fields.emplace_back("LocationType", kind);
    return t.ec2("DescribeInstanceTypeOfferings", fields)
        .all("instanceTypeOfferingSet/item/location");
  };
  EXPECT_EQ(places(""), Texts{"us-west-2"});
  EXPECT_EQ(places("availability-zone"), (Texts{"us-west-2a", "us-west-2b", "us-west-2c"}));
  EXPECT_EQ(places("availability-zone-id"), (Texts{"usw2-az1", "usw2-az2", "usw2-az3"}));
  EXPECT_EQ(t.ec2("DescribeInstanceTypeOfferings", {{"LocationType", "planet"}}).status(), 400);
  const auto here = t.ec2("DescribeInstanceTypeOfferings", {{"LocationType", "availability-zone"},
                                                            {"Filter.1.Name", "location"},
                                                            {"Filter.1.Value.1", "us-west-2b"},
                                                            {"MaxResults", "5"}});
  EXPECT_EQ(here.all("instanceTypeOfferingSet/item/location"), Texts(5, "us-west-2b"));
  EXPECT_NE(here.at("nextToken"), "");
}

struct Scores : TestBackend {
  Answer scores(Fields fields) const {
    fields.emplace_back("InstanceType.1", "p3.2xlarge");
    fields.emplace_back("InstanceType.2", "p3.8xlarge");
    fields.emplace_back("InstanceType.3", "p3.16xlarge");
    return ec2("GetSpotPlacementScores", fields);
  }
};
const std::string kScore = "spotPlacementScoreSet/item/";

TEST(Ec2PlacementScores, FollowTheFreeSlotsOfTheNamedTypes) {
  Scores t;
  t.market.set_capacity({"p3.2xlarge", "us-west-2a"}, 2);
  t.market.set_capacity({"p3.2xlarge", "us-west-2b"}, 8);
  const auto zones = t.scores({{"TargetCapacity", "10"}, {"SingleAvailabilityZone", "true"}});
  EXPECT_EQ(zones.all(kScore + "availabilityZoneId"), (Texts{"usw2-az2", "usw2-az1", "usw2-az3"}));
  EXPECT_EQ(zones.all(kScore + "score"), (Texts{"8", "2", "1"}));
  const auto region = t.scores({{"TargetCapacity", "20"}, {"RegionName.1", "us-west-2"}});
  EXPECT_EQ(region.all(kScore + "region"), Texts{"us-west-2"});
  EXPECT_EQ(region.all(kScore + "score"), Texts{"5"});
  EXPECT_EQ(t.scores({{"TargetCapacity", "160"}, {"TargetCapacityUnitType", "vcpu"}})
                .all(kScore + "score"),
            Texts{"5"});
}

TEST(Ec2PlacementScores, AreLowWithOneType) {
  TestBackend t;
  EXPECT_EQ(
      t.ec2("GetSpotPlacementScores", {{"InstanceType.1", "p3.2xlarge"}, {"TargetCapacity", "1"}})
          .at(kScore + "score"),
      "3");
}

TEST(Ec2PlacementScores, CountTypesWithTheAttributes) {
  TestBackend t;
  const std::string with = "InstanceRequirementsWithMetadata.";
  Fields fields{{"TargetCapacity", "1"},
                {with + "ArchitectureType.1", "x86_64"},
                {with + "InstanceRequirements.VCpuCount.Min", "8"},
                {with + "InstanceRequirements.VCpuCount.Max", "8"},
                {with + "InstanceRequirements.MemoryMiB.Min", "1"},
                {with + "InstanceRequirements.AllowedInstanceType.1", "p3.*"}};
  EXPECT_EQ(t.ec2("GetSpotPlacementScores", fields).at(kScore + "score"), "3") << "one type";
  fields[3].second = "64";
  EXPECT_EQ(t.ec2("GetSpotPlacementScores", fields).at(kScore + "score"), "10") << "three types";
  fields.emplace_back("InstanceType.1", "p3.2xlarge");
  EXPECT_EQ(t.ec2("GetSpotPlacementScores", fields).code(), "InvalidParameterCombination");
  EXPECT_EQ(t.ec2("GetSpotPlacementScores",
                  {{"TargetCapacity", "1"}, {with + "ArchitectureType.1", "x86_64"}})
                .code(),
            "MissingParameter");
}

TEST(Ec2PlacementScores, RefuseWhatTheyDoNotKnow) {
  Scores t;
  EXPECT_EQ(t.scores({}).code(), "MissingParameter");
  EXPECT_EQ(t.scores({{"TargetCapacity", "1"}, {"RegionName.1", "eu-west-1"}}).code(),
            "InvalidParameterValue");
  EXPECT_EQ(
      t.ec2("GetSpotPlacementScores", {{"TargetCapacity", "1"}, {"InstanceType.1", "z9.tiny"}})
          .code(),
      "InvalidInstanceType");
  EXPECT_EQ(t.ec2("GetSpotPlacementScores", {{"TargetCapacity", "1"}}).code(), "MissingParameter");
}

TEST(Ec2MetadataOptions, KeepWhatARequestDoesNotName) {
  TestBackend t;
  const auto launched = t.ec2("RunInstances", {{"ImageId", "ami-0123456789abcdef0"},
                                               {"InstanceType", "p3.2xlarge"},
                                               {"MinCount", "1"},
                                               {"MaxCount", "1"},
                                               {"MetadataOptions.HttpTokens", "required"},
                                               {"HibernationOptions.Configured", "false"}});
  const std::string id = launched.at("instancesSet/item/instanceId");
  const auto changed =
      t.ec2("ModifyInstanceMetadataOptions",
            {{"InstanceId", id}, {"HttpEndpoint", "disabled"}, {"HttpPutResponseHopLimit", "2"}});
  EXPECT_EQ(changed.at("instanceMetadataOptions/state"), "pending");
  EXPECT_EQ(changed.at("instanceMetadataOptions/httpEndpoint"), "disabled");
  const auto shown = t.ec2("DescribeInstances");
  const std::string options = "reservationSet/item/instancesSet/item/metadataOptions/";
  EXPECT_EQ(shown.at(options + "state"), "applied");
  EXPECT_EQ(shown.at(options + "httpEndpoint"), "disabled");
  EXPECT_EQ(shown.at(options + "httpTokens"), "required");
  EXPECT_EQ(shown.at(options + "httpPutResponseHopLimit"), "2");
  EXPECT_EQ(t.ec2("ModifyInstanceMetadataOptions",
                  {{"InstanceId", id}, {"HttpPutResponseHopLimit", "65"}})
                .code(),
            "InvalidParameterValue");
  EXPECT_EQ(
      t.ec2("ModifyInstanceMetadataOptions", {{"InstanceId", id}, {"HttpProtocolIpv6", "enabled"}})
          .status(),
      400);
}

Fields hibernating(const std::string& type, Fields more = {}) {
  more.insert(more.end(), {{"ImageId", "ami-0123456789abcdef0"},
                           {"InstanceType", type},
                           {"MinCount", "1"},
                           {"MaxCount", "1"},
                           {"BlockDeviceMapping.1.DeviceName", "/dev/xvda"},
                           {"BlockDeviceMapping.1.Ebs.VolumeSize", "30"},
                           {"BlockDeviceMapping.1.Ebs.Encrypted", "true"}});
  return more;
}

TEST(Ec2Hibernation, IsRefusedInAwssWords) {
  TestBackend t;
  const std::string id =
      t.ec2("RunInstances", hibernating("m5.large")).at("instancesSet/item/instanceId");
  t.run(5min);
  const auto stop = t.ec2("StopInstances", {{"InstanceId.1", id}, {"Hibernate", "true"}});
  EXPECT_EQ(stop.code(), "UnsupportedHibernationConfiguration");
  EXPECT_EQ(stop.message(),
            "The instance can't be hibernated because it was not configured at launch for "
            "hibernation: " +
                id);
  const Fields configured{{"HibernationOptions.Configured", "true"}};
  EXPECT_EQ(t.ec2("RunInstances", hibernating("p3.2xlarge", configured)).code(),
            "UnsupportedHibernationConfiguration");
  Fields plain = hibernating("m5.large", configured);
  plain.pop_back();
  EXPECT_EQ(t.ec2("RunInstances", plain).message(),
            "For hibernation, the root device volume must be encrypted.");
  EXPECT_EQ(t.ec2("StopInstances", {{"InstanceId.1", id}, {"Force", "true"}})
                .at("instancesSet/item/currentState/name"),
            "stopping");
}

TEST(Ec2Hibernation, IsShownAndStopsAndStarts) {
  TestBackend t;
  const auto launched =
      t.ec2("RunInstances", hibernating("m5.large", {{"HibernationOptions.Configured", "true"}}));
  EXPECT_EQ(launched.at("instancesSet/item/hibernationOptions/configured"), "true");
  const std::string id = launched.at("instancesSet/item/instanceId");
  t.run(5min);
  const auto metadata = [&](const std::string& path) {
    return imds(t.backend,
                {id})(Request{boost::beast::http::verb::get, "/latest/meta-data/" + path, 11})
        .response.body();
  };
  EXPECT_EQ(metadata("hibernation/configured"), "true");
  EXPECT_EQ(t.ec2("StopInstances", {{"InstanceId.1", id}, {"Hibernate", "true"}})
                .at("instancesSet/item/currentState/name"),
            "stopping");
  t.run(5min);
  const std::string item = "reservationSet/item/instancesSet/item/";
  const auto stopped =
      t.ec2("DescribeInstances",
            {{"Filter.1.Name", "hibernation-options.configured"}, {"Filter.1.Value.1", "true"}});
  EXPECT_EQ(stopped.at(item + "instanceState/name"), "stopped");
  EXPECT_EQ(stopped.at(item + "stateReason/code"), "Client.UserInitiatedHibernate");
  EXPECT_EQ(
      t.ec2("StartInstances", {{"InstanceId.1", id}}).at("instancesSet/item/currentState/name"),
      "pending");
  EXPECT_EQ(t.ec2("DescribeInstanceTypes", {{"Filter.1.Name", "hibernation-supported"},
                                            {"Filter.1.Value.1", "true"},
                                            {"InstanceType.1", "m5.large"},
                                            {"InstanceType.2", "p3.2xlarge"}})
                .all("instanceTypeSet/item/instanceType"),
            std::vector<std::string>{"m5.large"});
}

TEST(Ec2Hibernation, OfASpotInstanceNeedsAPersistentRequest) {
  TestBackend t;
  const std::string spot = "InstanceMarketOptions.";
  const auto launch = [&](const std::string& type, const std::string& behavior) {
    Fields fields{{spot + "MarketType", "spot"}, {spot + "SpotOptions.SpotInstanceType", type}};
    if (behavior.empty())
      fields.push_back({"HibernationOptions.Configured", "true"});
    else
      fields.push_back({spot + "SpotOptions.InstanceInterruptionBehavior", behavior});
    return t.ec2("RunInstances", hibernating("p3.2xlarge", fields)).code();
  };
  EXPECT_EQ(launch("one-time", "hibernate"), "InvalidParameterCombination");
  EXPECT_EQ(launch("one-time", ""), "InvalidParameterCombination");
  EXPECT_EQ(launch("persistent", "hibernate"), "UnsupportedHibernationConfiguration")
      << "accepted, except for the type";
  EXPECT_EQ(launch("persistent", ""), "UnsupportedHibernationConfiguration");
  Fields both{{spot + "MarketType", "spot"},
              {spot + "SpotOptions.SpotInstanceType", "persistent"},
              {spot + "SpotOptions.InstanceInterruptionBehavior", "stop"},
              {"HibernationOptions.Configured", "true"}};
  EXPECT_EQ(t.ec2("RunInstances", hibernating("p3.2xlarge", both)).code(),
            "InvalidParameterCombination");
}

}  // namespace
}  // namespace fakes
