#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

using Texts = std::vector<std::string>;

struct GroupBackend : TestBackend {
  Answer create(const std::string& name, const std::string& strategy, const Fields& more = {}) {
    Fields fields{{"GroupName", name}, {"Strategy", strategy}};
    fields.insert(fields.end(), more.begin(), more.end());
    return ec2("CreatePlacementGroup", fields);
  }
  Answer launch(const Fields& more) {
    Fields fields{
        {"ImageId", "ami-1"}, {"InstanceType", "m4.xlarge"}, {"MinCount", "1"}, {"MaxCount", "1"}};
    fields.insert(fields.end(), more.begin(), more.end());
    return ec2("RunInstances", fields);
  }
  Texts found(const std::string& filter, const std::string& value) {
    return ec2("DescribePlacementGroups", {{"Filter.1.Name", filter}, {"Filter.1.Value.1", value}})
        .all("placementGroupSet/item/groupName");
  }
};

constexpr const char* kPlacement = "instancesSet/item/placement/";

TEST(Ec2PlacementGroups, AreCreatedDescribedAndDeleted) {
  GroupBackend t;
  const auto made = t.create("near", "cluster",
                             {{"TagSpecification.1.ResourceType", "placement-group"},
                              {"TagSpecification.1.Tag.1.Key", "job"},
                              {"TagSpecification.1.Tag.1.Value", "a"}});
  EXPECT_EQ(made.at("placementGroup/groupName"), "near");
  EXPECT_EQ(made.at("placementGroup/state"), "available");
  EXPECT_EQ(made.at("placementGroup/tagSet/item/key"), "job");
  EXPECT_EQ(made.at("placementGroup/groupArn"),
            "arn:aws:ec2:us-west-2:123456789012:placement-group/near");
  EXPECT_EQ(t.create("near", "spread").code(), "InvalidPlacementGroup.Duplicate");
  EXPECT_EQ(
      t.create("parts", "partition", {{"PartitionCount", "7"}}).at("placementGroup/partitionCount"),
      "7");
  EXPECT_EQ(t.create("two", "partition").at("placementGroup/partitionCount"), "2");
  EXPECT_EQ(t.create("eight", "partition", {{"PartitionCount", "8"}}).code(),
            "InvalidParameterValue");
  EXPECT_EQ(t.create("odd", "cluster", {{"PartitionCount", "2"}}).code(),
            "InvalidParameterCombination");
  EXPECT_EQ(t.create("apart", "spread").at("placementGroup/spreadLevel"), "rack");
  EXPECT_EQ(t.found("strategy", "partition").size(), 2U);
  EXPECT_EQ(t.found("tag:job", "a"), Texts{"near"});
  EXPECT_EQ(t.found("spread-level", "rack"), Texts{"apart"});
  EXPECT_EQ(t.ec2("DescribePlacementGroups", {{"GroupName.1", "none"}}).code(),
            "InvalidPlacementGroup.Unknown");
  EXPECT_EQ(t.ec2("DescribePlacementGroups", {{"GroupId.1", made.at("placementGroup/groupId")}})
                .at("placementGroupSet/item/groupName"),
            "near");
  EXPECT_EQ(t.ec2("DeletePlacementGroup", {{"GroupName", "near"}}).status(), 200);
  EXPECT_EQ(t.ec2("DeletePlacementGroup", {{"GroupName", "near"}}).code(),
            "InvalidPlacementGroup.Unknown");
}

TEST(Ec2PlacementGroups, AreShownOfTheirInstances) {
  GroupBackend t;
  t.create("parts", "partition", {{"PartitionCount", "3"}});
  const auto launched =
      t.launch({{"Placement.GroupName", "parts"}, {"Placement.PartitionNumber", "2"}});
  EXPECT_EQ(launched.at(std::string(kPlacement) + "groupName"), "parts");
  EXPECT_EQ(launched.at(std::string(kPlacement) + "partitionNumber"), "2");
  const auto named = t.ec2("DescribeInstances", {{"Filter.1.Name", "placement-group-name"},
                                                 {"Filter.1.Value.1", "parts"},
                                                 {"Filter.2.Name", "placement-partition-number"},
                                                 {"Filter.2.Value.1", "2"}});
  EXPECT_EQ(named.all("reservationSet/item/instancesSet/item/instanceId").size(), 1U);
  EXPECT_EQ(t.ec2("DeletePlacementGroup", {{"GroupName", "parts"}}).message(),
            "The placement group 'parts' is in use and may not be deleted.");
  EXPECT_EQ(t.launch({{"Placement.GroupName", "none"}}).message(),
            "The Placement Group 'none' is unknown.");
  EXPECT_EQ(t.launch({{"Placement.PartitionNumber", "2"}}).code(), "InvalidParameterCombination");
}

TEST(Ec2PlacementGroups, AreReadFromTemplatesAndSpotRequests) {
  GroupBackend t;
  const std::string id = t.create("near", "cluster").at("placementGroup/groupId");
  t.ec2("CreateLaunchTemplate", {{"LaunchTemplateName", "near"},
                                 {"LaunchTemplateData.Placement.GroupId", id},
                                 {"LaunchTemplateData.ImageId", "ami-1"},
                                 {"LaunchTemplateData.InstanceType", "p3.2xlarge"}});
  const auto launched =
      t.ec2("RunInstances",
            {{"LaunchTemplate.LaunchTemplateName", "near"}, {"MinCount", "1"}, {"MaxCount", "1"}});
  EXPECT_EQ(launched.at(std::string(kPlacement) + "groupName"), "near");
  EXPECT_EQ(launched.at(std::string(kPlacement) + "groupId"), id);
  const auto asked =
      t.ec2("RequestSpotInstances", {{"LaunchSpecification.ImageId", "ami-1"},
                                     {"LaunchSpecification.InstanceType", "p3.2xlarge"},
                                     {"LaunchSpecification.Placement.GroupName", "near"}});
  EXPECT_EQ(asked.at("spotInstanceRequestSet/item/launchSpecification/placement/groupName"),
            "near");
  t.run(2min);
  const auto there = t.ec2("DescribeInstances", {{"Filter.1.Name", "placement-group-name"},
                                                 {"Filter.1.Value.1", "near"}})
                         .all("reservationSet/item/instancesSet/item/placement/availabilityZone");
  EXPECT_EQ(there, (Texts{"us-west-2a", "us-west-2a"}));
}

}  // namespace
}  // namespace fakes
