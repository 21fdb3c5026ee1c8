#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

const std::string kData = "LaunchTemplateData.";
const std::string kConfig = "SpotFleetRequestConfig.";
const std::string kTemplate = kConfig + "LaunchTemplateConfigs.1.";

Fields data(const std::string& name) {
  return {{"LaunchTemplateName", name},
          {kData + "ImageId", "ami-0123456789abcdef0"},
          {kData + "InstanceType", "p3.2xlarge"},
          {kData + "MetadataOptions.HttpTokens", "required"},
          {kData + "TagSpecification.1.ResourceType", "instance"},
          {kData + "TagSpecification.1.Tag.1.Key", "Name"},
          {kData + "TagSpecification.1.Tag.1.Value", "trainer"},
          {"TagSpecification.1.ResourceType", "launch-template"},
          {"TagSpecification.1.Tag.1.Key", "team"},
          {"TagSpecification.1.Tag.1.Value", "vision"}};
}

Fields without_image(const std::string& name) {
  return {{"LaunchTemplateName", name}, {kData + "InstanceType", "p3.2xlarge"}};
}

std::string create(const TestBackend& t, const Fields& fields) {
  return t.ec2("CreateLaunchTemplate", fields).at("launchTemplate/launchTemplateId");
}

Fields fleet_of(const std::string& id, const Fields& more = {}) {
  Fields fields{{kConfig + "IamFleetRole", "arn:aws:iam::123456789012:role/fleet"},
                {kConfig + "TargetCapacity", "1"},
                {kTemplate + "LaunchTemplateSpecification.LaunchTemplateId", id},
                {kTemplate + "LaunchTemplateSpecification.Version", "1"}};
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

TEST(Ec2LaunchTemplates, AreFoundByIdNameAndTagUntilTheyAreDeleted) {
  TestBackend t;
  const auto id = create(t, data("a-template"));
  ASSERT_TRUE(id.starts_with("lt-0")) << id;
  create(t, without_image("another"));
  const auto found = [&](const Fields& fields) {
    return t.ec2("DescribeLaunchTemplates", fields).all("launchTemplates/item/launchTemplateName");
  };
  using Listed = std::vector<std::string>;
  EXPECT_EQ(found({}).size(), 2u);
  EXPECT_EQ(found({{"LaunchTemplateId.1", id}}), Listed{"a-template"});
  EXPECT_EQ(found({{"LaunchTemplateName.1", "another"}}), Listed{"another"});
  EXPECT_EQ(found({{"Filter.1.Name", "tag:team"}, {"Filter.1.Value.1", "vision"}}),
            Listed{"a-template"});
  EXPECT_EQ(t.ec2("DescribeTags", {{"Filter.1.Name", "resource-id"}, {"Filter.1.Value.1", id}})
                .at("tagSet/item/resourceType"),
            "launch-template");
  const auto version = t.ec2("DescribeLaunchTemplateVersions",
                             {{"LaunchTemplateId", id}, {"LaunchTemplateVersion.1", "$Default"}});
  EXPECT_EQ(version.at("launchTemplateVersionSet/item/launchTemplateData/instanceType"),
            "p3.2xlarge");
  t.ec2("DeleteLaunchTemplate", {{"LaunchTemplateId", id}});
  EXPECT_EQ(found({}), Listed{"another"});
}

TEST(Ec2LaunchTemplates, TheLatestVersionIsTheNewestThatIsLeft) {
  TestBackend t;
  const std::string id = create(t, without_image("job"));
  const Fields more{{"LaunchTemplateId", id}, {kData + "InstanceType", "p3.2xlarge"}};
  const auto latest = [&] {
    return t.ec2("DescribeLaunchTemplates").at("launchTemplates/item/latestVersionNumber");
  };
  for (int i = 0; i < 2; ++i) t.ec2("CreateLaunchTemplateVersion", more);
  EXPECT_EQ(latest(), "3");
  const auto deleted =
      t.ec2("DeleteLaunchTemplateVersions", {{"LaunchTemplateId", id},
                                             {"LaunchTemplateVersion.1", "3"},
                                             {"LaunchTemplateVersion.2", "99999999999999"}});
  EXPECT_EQ(deleted.at("unsuccessfullyDeletedLaunchTemplateVersionSet/item/versionNumber"),
            "99999999999999");
  EXPECT_EQ(latest(), "2");
  t.ec2("CreateLaunchTemplateVersion", more);
  EXPECT_EQ(latest(), "4") << "no number comes again";
}

// The data includes members that have no effect here.
TEST(Ec2LaunchTemplates, AVersionShowsWhatItWasGiven) {
  TestBackend t;
  const std::string device = kData + "BlockDeviceMapping.1.", net = kData + "NetworkInterface.1.";
  Fields fields = data("a-template");
  for (const auto& [name, value] : Fields{{kData + "EbsOptimized", "true"},
                                          {kData + "Monitoring.Enabled", "true"},
                                          {kData + "KernelId", "aki-1"},
                                          {kData + "KeyName", "me"},
                                          {kData + "UserData", "IyEvYmluL2Jhc2gK"},
                                          {kData + "IamInstanceProfile.Name", "job"},
                                          {kData + "MetadataOptions.HttpPutResponseHopLimit", "2"},
                                          {kData + "Placement.Tenancy", "default"},
                                          {device + "DeviceName", "/dev/xvda"},
                                          {device + "Ebs.VolumeSize", "80"},
                                          {device + "Ebs.VolumeType", "gp3"},
                                          {net + "DeviceIndex", "0"},
                                          {net + "AssociatePublicIpAddress", "false"},
                                          {net + "SecurityGroupId.1", "sg-0123456789abcdef0"}})
    fields.emplace_back(name, value);
  const auto id = create(t, fields);
  const auto version = t.ec2("DescribeLaunchTemplateVersions", {{"LaunchTemplateId", id}});
  const auto shown = [&](const std::string& path) {
    return version.at("launchTemplateVersionSet/item/launchTemplateData/" + path);
  };
  EXPECT_EQ(shown("imageId"), "ami-0123456789abcdef0");
  EXPECT_EQ(shown("metadataOptions/httpTokens"), "required");
  EXPECT_EQ(shown("metadataOptions/httpPutResponseHopLimit"), "2");
  EXPECT_EQ(shown("tagSpecificationSet/item/tagSet/item/value"), "trainer");
  EXPECT_EQ(shown("ebsOptimized"), "true");
  EXPECT_EQ(shown("monitoring/enabled"), "true");
  EXPECT_EQ(shown("kernelId"), "aki-1");
  EXPECT_EQ(shown("keyName"), "me");
  EXPECT_EQ(shown("userData"), "IyEvYmluL2Jhc2gK");
  EXPECT_EQ(shown("iamInstanceProfile/name"), "job");
  EXPECT_EQ(shown("placement/tenancy"), "default");
  EXPECT_EQ(shown("blockDeviceMappingSet/item/deviceName"), "/dev/xvda");
  EXPECT_EQ(shown("blockDeviceMappingSet/item/ebs/volumeSize"), "80");
  EXPECT_EQ(shown("blockDeviceMappingSet/item/ebs/volumeType"), "gp3");
  EXPECT_EQ(shown("networkInterfaceSet/item/associatePublicIpAddress"), "false");
  EXPECT_EQ(shown("networkInterfaceSet/item/groupSet/groupId"), "sg-0123456789abcdef0");
  fields[0].second = "another";
  for (auto& [name, value] : fields)
    if (name == device + "Ebs.VolumeType") value = "gp9";
  EXPECT_EQ(t.ec2("CreateLaunchTemplate", fields).code(), "InvalidParameterValue");
}

TEST(Ec2LaunchTemplates, ErrorsAreEc2s) {
  TestBackend t;
  const auto id = create(t, data("a-template"));
  const auto code = [&](const std::string& action, const Fields& fields) {
    return t.ec2(action, fields).code();
  };
  EXPECT_EQ(code("CreateLaunchTemplate", data("a-template")),
            "InvalidLaunchTemplateName.AlreadyExistsException");
  EXPECT_EQ(code("CreateLaunchTemplate", data("a b")),
            "InvalidLaunchTemplateName.MalformedException");
  EXPECT_EQ(code("CreateLaunchTemplate", {{"LaunchTemplateName", "empty"}}), "MissingParameter");
  EXPECT_EQ(code("DeleteLaunchTemplate", {{"LaunchTemplateName", "none"}}),
            "InvalidLaunchTemplateName.NotFoundException");
  EXPECT_EQ(code("DeleteLaunchTemplate", {{"LaunchTemplateId", "lt-0123456789abcdef0"}}),
            "InvalidLaunchTemplateId.NotFound");
  EXPECT_EQ(code("DeleteLaunchTemplate", {{"LaunchTemplateId", "lt-1"}}),
            "InvalidLaunchTemplateId.Malformed");
  EXPECT_EQ(code("DeleteLaunchTemplate", {}), "MissingParameter");
  EXPECT_EQ(code("DeleteLaunchTemplate",
                 {{"LaunchTemplateName", "a-template"}, {"LaunchTemplateId", id}}),
            "InvalidParameterCombination");
  EXPECT_EQ(code("DescribeLaunchTemplateVersions",
                 {{"LaunchTemplateId", id}, {"LaunchTemplateVersion.1", "2"}}),
            "InvalidLaunchTemplateId.VersionNotFound");
  const Fields named{{"LaunchTemplateName", "a-template"}, {"SetDefaultVersion", "2"}};
  const auto unknown = t.ec2("ModifyLaunchTemplate", named);
  EXPECT_EQ(unknown.code(), "InvalidLaunchTemplateId.VersionNotFound");
  EXPECT_EQ(unknown.message(),
            "The launch template version 2 is not found for the specified launch template.");
  Fields both = named;
  both.emplace_back("LaunchTemplateId", id);
  EXPECT_EQ(t.ec2("ModifyLaunchTemplate", both).message(),
            "Either provide launch template ID or launch template name to modify the template.");
  EXPECT_EQ(t.ec2("DescribeLaunchTemplates", {{"LaunchTemplateName.1", "none"}}).message(),
            "At least one of the launch templates specified in the request does not exist.");
  Fields hibernating = data("hibernating");
  hibernating.emplace_back(kData + "HibernationOptions.Configured", "true");
  const auto made =
      t.ec2("CreateLaunchTemplate", hibernating).at("launchTemplate/launchTemplateId");
  EXPECT_EQ(
      t.ec2("DescribeLaunchTemplateVersions", {{"LaunchTemplateId", made}})
          .at("launchTemplateVersionSet/item/launchTemplateData/hibernationOptions/configured"),
      "true");
  EXPECT_TRUE(t.cloud.launch_templates().at({made}).versions.at(1).data.hibernation);
}

TEST(Ec2LaunchTemplates, AFleetLaunchesWhatTheOverridesMakeOfThem) {
  TestBackend t;
  const auto id = create(t, data("a-template"));
  const std::string first = kTemplate + "Overrides.1.", second = kTemplate + "Overrides.2.";
  const auto fleet =
      t.ec2("RequestSpotFleet", fleet_of(id, {{first + "AvailabilityZone", "us-west-2b"},
                                              {first + "SpotPrice", "0.2"},
                                              {second + "AvailabilityZone", "us-west-2a"},
                                              {second + "WeightedCapacity", "0.5"}}))
          .at("spotFleetRequestId");
  t.run(2min);
  const auto& instances = t.cloud.fleet({fleet}).instances;
  ASSERT_EQ(instances.size(), 2u) << "of half a unit each";
  const auto& spec = t.cloud.instance(instances[0]).spec;
  EXPECT_EQ(spec.availability_zone, "us-west-2a");
  EXPECT_TRUE(spec.imds_v2_required);
  EXPECT_EQ(t.cloud.instance(instances[0]).tags.at("Name"), "trainer");
  EXPECT_EQ(t.cloud.instance(instances[0]).tags.at("aws:ec2launchtemplate:id"), id);
}

TEST(Ec2LaunchTemplates, AnInstanceIsTaggedWithTemplateAndVersion) {
  TestBackend t;
  const auto id = create(t, data("a-template"));
  t.ec2("CreateLaunchTemplateVersion",
        {{"LaunchTemplateId", id}, {"SourceVersion", "1"}, {kData + "InstanceType", "m4.xlarge"}});
  const auto launched = t.ec2("RunInstances", {{"LaunchTemplate.LaunchTemplateName", "a-template"},
                                               {"LaunchTemplate.Version", "$Latest"},
                                               {"MinCount", "1"},
                                               {"MaxCount", "1"}});
  const auto tag = [&](const std::string& key) {
    return launched.at("instancesSet/item/tagSet/item[key='aws:ec2launchtemplate:" + key +
                       "']/value");
  };
  EXPECT_EQ(tag("id"), id);
  EXPECT_EQ(tag("version"), "2") << "the number, not $Latest";
  EXPECT_EQ(t.ec2("DescribeInstances",
                  {{"Filter.1.Name", "tag:aws:ec2launchtemplate:id"}, {"Filter.1.Value.1", id}})
                .all("reservationSet/item")
                .size(),
            1U);
}

TEST(Ec2LaunchTemplates, AFleetIsOfOneOfBothAndOfWhatThereIs) {
  TestBackend t;
  const auto id = create(t, data("a-template"));
  const auto imageless = create(t, without_image("imageless"));
  const auto code = [&](const Fields& fields) { return t.ec2("RequestSpotFleet", fields).code(); };
  const std::string specification = kConfig + "LaunchSpecifications.1.";
  EXPECT_EQ(code(fleet_of(id, {{specification + "ImageId", "ami-0123456789abcdef0"}})),
            "InvalidSpotFleetRequestConfig");
  EXPECT_EQ(code(fleet_of(imageless)), "InvalidSpotFleetRequestConfig");
  EXPECT_EQ(code(fleet_of("lt-0123456789abcdef0")), "InvalidLaunchTemplateId.NotFound");
  EXPECT_EQ(code(fleet_of(id, {{kTemplate + "Overrides.1.Priority", "-1"}})),
            "InvalidSpotFleetRequestConfig");
  EXPECT_EQ(code(fleet_of(id, {{kTemplate + "Overrides.1.InstanceType", "q9.huge"}})),
            "InvalidParameterValue");
  EXPECT_TRUE(t.cloud.fleets().empty());
}

}  // namespace
}  // namespace fakes
