// Volumes that are launched with instances, their keys, and attributes of instances.
#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

using Strings = std::vector<std::string>;
const std::string kDevice = "BlockDeviceMapping.1.";

Fields launch(const Fields& more = {}) {
  Fields fields{{"ImageId", "ami-0123456789abcdef0"},
                {"InstanceType", "m4.xlarge"},
                {"Placement.AvailabilityZone", "us-west-2b"},
                {"MinCount", "1"},
                {"MaxCount", "1"}};
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

std::string launched(TestBackend& t, const Fields& more = {}) {
  const std::string id = t.ec2("RunInstances", launch(more)).at("instancesSet/item/instanceId");
  t.simulation.run_until(t.simulation.now() + std::chrono::minutes{5});
  return id;
}

TEST(Ec2Devices, EveryInstanceHasARoot) {
  TestBackend t;
  const std::string id = launched(t, {{"TagSpecification.1.ResourceType", "volume"},
                                      {"TagSpecification.1.Tag.1.Key", "job"},
                                      {"TagSpecification.1.Tag.1.Value", "x"}});
  const auto instance = t.ec2("DescribeInstances", {{"InstanceId.1", id}});
  const std::string mapping = "reservationSet/item/instancesSet/item/blockDeviceMapping/item/";
  EXPECT_EQ(instance.at(mapping + "deviceName"), "/dev/sda1");
  EXPECT_EQ(instance.at(mapping + "ebs/deleteOnTermination"), "true");
  const std::string volume = instance.at(mapping + "ebs/volumeId");
  const Fields by_instance{{"Filter.1.Name", "attachment.instance-id"}, {"Filter.1.Value.1", id}};
  const auto found = t.ec2("DescribeVolumes", by_instance);
  EXPECT_EQ(found.all("volumeSet/item/volumeId"), Strings{volume});
  EXPECT_EQ(found.at("volumeSet/item/size"), "8");
  EXPECT_EQ(found.at("volumeSet/item/tagSet/item/value"), "x");
  EXPECT_EQ(found.at("volumeSet/item/attachmentSet/item/status"), "attached");
  t.ec2("TerminateInstances", {{"InstanceId.1", id}});
  t.simulation.run_until(t.simulation.now() + std::chrono::minutes{5});
  EXPECT_TRUE(t.ec2("DescribeVolumes").all("volumeSet/item/volumeId").empty());
}

TEST(Ec2Devices, AreMadeAsAskedFor) {
  TestBackend t;
  const std::string id = launched(t, {{kDevice + "DeviceName", "/dev/sdf"},
                                      {kDevice + "Ebs.VolumeSize", "100"},
                                      {kDevice + "Ebs.VolumeType", "gp3"},
                                      {kDevice + "Ebs.Iops", "4000"},
                                      {kDevice + "Ebs.Throughput", "250"},
                                      {kDevice + "Ebs.Encrypted", "true"},
                                      {kDevice + "Ebs.DeleteOnTermination", "false"}});
  const auto volume = t.ec2("DescribeVolumes", {{"Filter.1.Name", "attachment.device"},
                                                {"Filter.1.Value.1", "/dev/sdf"}});
  const auto shown = [&](const char* member) {
    return volume.at(std::string("volumeSet/item/") + member);
  };
  EXPECT_EQ(shown("size"), "100");
  EXPECT_EQ(shown("iops"), "4000");
  EXPECT_EQ(shown("throughput"), "250");
  EXPECT_EQ(shown("encrypted"), "true");
  EXPECT_TRUE(shown("kmsKeyId").starts_with("arn:aws:kms:us-west-2:"));
  EXPECT_EQ(shown("attachmentSet/item/instanceId"), id);
  EXPECT_EQ(shown("attachmentSet/item/deleteOnTermination"), "false");
}

TEST(Ec2Devices, AnUnusableKeyIsTheInstancesStateReason) {
  TestBackend t;
  const std::string id = launched(t, {{kDevice + "DeviceName", "/dev/sdf"},
                                      {kDevice + "Ebs.VolumeSize", "100"},
                                      {kDevice + "Ebs.Encrypted", "true"},
                                      {kDevice + "Ebs.KmsKeyId", "no-key"}});
  const auto shown = t.ec2("DescribeInstances", {{"InstanceId.1", id}});
  const std::string item = "reservationSet/item/instancesSet/item/";
  EXPECT_EQ(shown.at(item + "instanceState/name"), "terminated");
  EXPECT_EQ(shown.at(item + "stateReason/code"), "Client.InvalidKMSKey.InvalidState");
  EXPECT_EQ(shown.at(item + "stateReason/message"),
            "Client.InvalidKMSKey.InvalidState: The KMS key provided is in an incorrect state");
}

TEST(Ec2Launches, ShowTheirSettingsAsGiven) {
  TestBackend t;
  const std::string item = "instancesSet/item/";
  const auto plain = t.ec2("RunInstances", launch());
  EXPECT_EQ(plain.at(item + "metadataOptions/httpPutResponseHopLimit"), "1");
  EXPECT_EQ(plain.at(item + "metadataOptions/instanceMetadataTags"), "disabled");
  EXPECT_EQ(plain.at(item + "ebsOptimized"), "false");
  EXPECT_EQ(plain.at(item + "monitoring/state"), "disabled");
  const Fields given{{"MetadataOptions.HttpPutResponseHopLimit", "2"},
                     {"MetadataOptions.InstanceMetadataTags", "enabled"},
                     {"EbsOptimized", "true"},
                     {"Monitoring.Enabled", "true"}};
  const auto made = t.ec2("RunInstances", launch(given));
  EXPECT_EQ(made.at(item + "monitoring/state"), "pending");
  t.run(5min);
  const std::string id = made.at(item + "instanceId");
  const auto shown = t.ec2("DescribeInstances", {{"InstanceId.1", id}});
  const std::string now = "reservationSet/item/instancesSet/item/";
  EXPECT_EQ(shown.at(now + "metadataOptions/httpPutResponseHopLimit"), "2");
  EXPECT_EQ(shown.at(now + "metadataOptions/instanceMetadataTags"), "enabled");
  EXPECT_EQ(shown.at(now + "ebsOptimized"), "true");
  EXPECT_EQ(shown.at(now + "monitoring/state"), "enabled");
  for (const auto& [name, value] :
       Fields{{"monitoring-state", "enabled"}, {"ebs-optimized", "true"}})
    EXPECT_EQ(t.ec2("DescribeInstances", {{"Filter.1.Name", name}, {"Filter.1.Value.1", value}})
                  .at(now + "instanceId"),
              id)
        << name;
  EXPECT_EQ(t.ec2("DescribeInstanceAttribute", {{"InstanceId", id}, {"Attribute", "ebsOptimized"}})
                .at("ebsOptimized/value"),
            "true");
  EXPECT_EQ(
      t.ec2("RunInstances", launch({{"MetadataOptions.HttpPutResponseHopLimit", "65"}})).code(),
      "InvalidParameterValue");
}

TEST(Ec2Devices, EncryptionGoesFromVolumesToSnapshots) {
  TestBackend t;
  const Fields plain{{"AvailabilityZone", "us-west-2b"}, {"Size", "10"}};
  Fields encrypted = plain;
  encrypted.emplace_back("Encrypted", "true");
  const auto volume = t.ec2("CreateVolume", encrypted);
  EXPECT_EQ(volume.at("encrypted"), "true");
  EXPECT_TRUE(t.ec2("CreateVolume", plain).all("kmsKeyId").empty());
  t.simulation.run_until(t.simulation.now() + std::chrono::minutes{1});
  const auto snapshot = t.ec2("CreateSnapshot", {{"VolumeId", volume.at("volumeId")}});
  EXPECT_EQ(snapshot.at("encrypted"), "true");
  EXPECT_EQ(snapshot.at("kmsKeyId"), volume.at("kmsKeyId"));
  const auto found = [&](const char* action, const char* value) {
    return t.ec2(action, {{"Filter.1.Name", "encrypted"}, {"Filter.1.Value.1", value}});
  };
  EXPECT_EQ(found("DescribeVolumes", "true").all("volumeSet/item/volumeId").size(), 1U);
  EXPECT_EQ(found("DescribeVolumes", "false").all("volumeSet/item/volumeId").size(), 1U);
  EXPECT_TRUE(found("DescribeSnapshots", "false").all("snapshotSet/item/snapshotId").empty());
  Fields key = plain;
  key.emplace_back("KmsKeyId", "k");
  EXPECT_EQ(t.ec2("CreateVolume", key).code(), "InvalidParameterDependency");
}

TEST(Ec2InstanceAttributes, ProtectFromTermination) {
  TestBackend t;
  const std::string id = launched(t, {{"DisableApiTermination", "true"}});
  const auto held = [&] {
    return t
        .ec2("DescribeInstanceAttribute",
             {{"InstanceId", id}, {"Attribute", "disableApiTermination"}})
        .at("disableApiTermination/value");
  };
  EXPECT_EQ(held(), "true");
  EXPECT_EQ(t.ec2("TerminateInstances", {{"InstanceId.1", id}}).code(), "OperationNotPermitted");
  t.ec2("ModifyInstanceAttribute", {{"InstanceId", id}, {"DisableApiTermination.Value", "false"}});
  EXPECT_EQ(held(), "false");
  t.ec2("ModifyInstanceAttribute",
        {{"InstanceId", id}, {"Attribute", "disableApiTermination"}, {"Value", "true"}});
  EXPECT_EQ(held(), "true");
}

TEST(Ec2InstanceAttributes, StateWhetherARootIsDeletedWithItsInstance) {
  TestBackend t;
  const std::string id = launched(t);
  const auto modified = [&](const Fields& more) {
    Fields fields{{"InstanceId", id}};
    fields.insert(fields.end(), more.begin(), more.end());
    return t.ec2("ModifyInstanceAttribute", fields);
  };
  const auto goes = [&] {
    return t
        .ec2("DescribeInstanceAttribute", {{"InstanceId", id}, {"Attribute", "blockDeviceMapping"}})
        .at("blockDeviceMapping/item/ebs/deleteOnTermination");
  };
  EXPECT_EQ(goes(), "true");
  modified({{kDevice + "DeviceName", "/dev/sda1"}, {kDevice + "Ebs.DeleteOnTermination", "false"}});
  EXPECT_EQ(goes(), "false");
  EXPECT_EQ(modified({}).code(), "InvalidParameterCombination");
  EXPECT_EQ(modified({}).message(), "No attributes specified.");
  EXPECT_EQ(modified({{"Attribute", "kernel"}, {"Value", "x"}}).code(), "UnsupportedOperation");
  EXPECT_EQ(modified({{"Kernel.Value", "aki-1"}}).code(), "UnsupportedOperation");
}

// enaSupport is in the model, but not supported (EC2 API reference, DescribeInstanceAttribute).
TEST(Ec2InstanceAttributes, AreRefusedInEc2sWordsIfUnknown) {
  TestBackend t;
  const std::string id = launched(t);
  for (const std::string name : {"abc", "userdata", "enaSupport"}) {
    const std::string words =
        "Value (" + name + ") for parameter attribute is invalid. Unknown attribute.";
    const Fields request{{"InstanceId", id}, {"Attribute", name}, {"Value", "x"}};
    const Answer modified = t.ec2("ModifyInstanceAttribute", request);
    EXPECT_EQ(modified.code(), "InvalidParameterValue");
    EXPECT_EQ(modified.message(), words);
    const Answer shown =
        t.ec2("DescribeInstanceAttribute", {{"InstanceId", id}, {"Attribute", name}});
    EXPECT_EQ(shown.code(), "InvalidParameterValue");
    EXPECT_EQ(shown.message(), words);
  }
}

TEST(Ec2InstanceAttributes, PutAnInstanceIntoOtherSecurityGroups) {
  TestBackend t;
  const std::string id = launched(t);
  const auto modified = [&](const Strings& groups) {
    Fields fields{{"InstanceId", id}};
    for (const auto& group : groups)
      fields.emplace_back("GroupId." + std::to_string(fields.size()), group);
    return t.ec2("ModifyInstanceAttribute", fields).code();
  };
  const auto has = [&] {
    return t.ec2("DescribeInstanceAttribute", {{"InstanceId", id}, {"Attribute", "groupSet"}})
        .all("groupSet/item/groupId");
  };
  const Strings gang{"sg-0123456789abcdef0", "sg-0123456789abcdef1"};
  const Strings before = has();
  EXPECT_EQ(before.size(), 1U);
  EXPECT_EQ(modified(gang), "");
  EXPECT_EQ(has(), gang);
  EXPECT_EQ(t.ec2("DescribeInstances",
                  {{"Filter.1.Name", "instance.group-id"}, {"Filter.1.Value.1", gang[1]}})
                .all("reservationSet/item/instancesSet/item/instanceId"),
            Strings{id});
  EXPECT_EQ(modified({"default"}), "InvalidGroupId.Malformed");
  EXPECT_EQ(modified(Strings(6, gang[0])), "SecurityGroupsPerInterfaceLimitExceeded");
  EXPECT_EQ(
      t.ec2("ModifyInstanceAttribute",
            {{"InstanceId", id}, {"GroupId.1", gang[0]}, {"DisableApiTermination.Value", "true"}})
          .code(),
      "InvalidParameterCombination");
  EXPECT_EQ(has(), gang);
  t.ec2("TerminateInstances", {{"InstanceId.1", id}});
  t.simulation.run_until(t.simulation.now() + std::chrono::minutes{5});
  EXPECT_EQ(modified(before), "IncorrectInstanceState");
}

TEST(Ec2LaunchTemplates, SupplyWhatRunInstancesOmits) {
  TestBackend t;
  const std::string data = "LaunchTemplateData.";
  t.ec2("CreateLaunchTemplate", {{"LaunchTemplateName", "job"},
                                 {data + "ImageId", "ami-0123456789abcdef0"},
                                 {data + "InstanceType", "m4.xlarge"},
                                 {data + "EbsOptimized", "true"},
                                 {data + "RamDiskId", "ari-1"},
                                 {data + "KeyName", "mine"},
                                 {data + "MetadataOptions.HttpPutResponseHopLimit", "2"},
                                 {data + "NetworkInterface.1.AssociatePublicIpAddress", "true"},
                                 {data + "NetworkInterface.1.DeviceIndex", "0"}});
  const auto version =
      t.ec2("CreateLaunchTemplateVersion",
            {{"LaunchTemplateName", "job"}, {"SourceVersion", "1"}, {data + "KeyName", "yours"}});
  const std::string made = "launchTemplateVersion/";
  EXPECT_EQ(version.at(made + "versionNumber"), "2");
  EXPECT_EQ(version.at(made + "launchTemplateData/imageId"), "ami-0123456789abcdef0");
  EXPECT_EQ(version.at(made + "launchTemplateData/keyName"), "yours");
  const auto run = [&](const char* number, const Fields& more = {}) {
    Fields fields{{"LaunchTemplate.LaunchTemplateName", "job"},
                  {"LaunchTemplate.Version", number},
                  {"MinCount", "1"},
                  {"MaxCount", "1"}};
    fields.insert(fields.end(), more.begin(), more.end());
    return t.ec2("RunInstances", fields);
  };
  EXPECT_EQ(run("$Default").at("instancesSet/item/keyName"), "mine");
  EXPECT_EQ(run("1").at("instancesSet/item/ebsOptimized"), "true");
  EXPECT_EQ(run("1").at("instancesSet/item/metadataOptions/httpPutResponseHopLimit"), "2");
  EXPECT_EQ(run("$Latest").at("instancesSet/item/keyName"), "yours");
  EXPECT_EQ(run("1", {{"KeyName", "ours"}}).at("instancesSet/item/keyName"), "ours");
  EXPECT_EQ(run("3").code(), "InvalidLaunchTemplateId.VersionNotFound");
}

TEST(Ec2LaunchTemplates, ShowTheirVersionsNewestFirst) {
  TestBackend t;
  const Fields named{{"LaunchTemplateName", "job"}};
  const auto with = [&](const Fields& more) {
    Fields fields = named;
    fields.insert(fields.end(), more.begin(), more.end());
    return fields;
  };
  t.ec2("CreateLaunchTemplate",
        with({{"LaunchTemplateData.KeyName", "a"}, {"VersionDescription", "first"}}));
  for (const char* key : {"b", "c"})
    t.ec2("CreateLaunchTemplateVersion", with({{"LaunchTemplateData.KeyName", key}}));
  const auto shown = [&](const Fields& more) {
    return t.ec2("DescribeLaunchTemplateVersions", more)
        .all("launchTemplateVersionSet/item/versionNumber");
  };
  EXPECT_EQ(shown(named), (Strings{"3", "2", "1"}));
  EXPECT_EQ(shown(with({{"MinVersion", "2"}})), (Strings{"3", "2"}));
  EXPECT_EQ(shown(with({{"MaxVersion", "2"}, {"MinVersion", "2"}})), Strings{"2"});
  EXPECT_EQ(shown(with({{"LaunchTemplateVersion.1", "3"}, {"LaunchTemplateVersion.2", "1"}})),
            (Strings{"3", "1"}));
  EXPECT_EQ(shown({{"LaunchTemplateVersion.1", "$Latest"}}), Strings{"3"});
  EXPECT_EQ(t.ec2("DescribeLaunchTemplateVersions", {{"LaunchTemplateVersion.1", "1"}}).code(),
            "MissingParameter");
  EXPECT_EQ(t.ec2("ModifyLaunchTemplate", with({{"SetDefaultVersion", "2"}}))
                .at("launchTemplate/defaultVersionNumber"),
            "2");
  EXPECT_EQ(shown(with({{"Filter.1.Name", "is-default-version"}, {"Filter.1.Value.1", "true"}})),
            Strings{"2"});
  const auto deleted =
      t.ec2("DeleteLaunchTemplateVersions", with({{"LaunchTemplateVersion.1", "1"},
                                                  {"LaunchTemplateVersion.2", "2"},
                                                  {"LaunchTemplateVersion.3", "9"}}));
  EXPECT_EQ(deleted.all("successfullyDeletedLaunchTemplateVersionSet/item/versionNumber"),
            Strings{"1"});
  EXPECT_EQ(deleted.all("unsuccessfullyDeletedLaunchTemplateVersionSet/item/responseError/code"),
            (Strings{"unexpectedError", "launchTemplateVersionDoesNotExist"}));
  EXPECT_EQ(shown(named), (Strings{"3", "2"}));
}

// Security groups are checked when the instance is launched. Until then EC2 only warns.
TEST(Ec2LaunchTemplates, WarnOfGroupsThatAreNone) {
  TestBackend t;
  const auto made =
      t.ec2("CreateLaunchTemplate", {{"LaunchTemplateName", "job"},
                                     {"LaunchTemplateData.ImageId", "ami-0123456789abcdef0"},
                                     {"LaunchTemplateData.SecurityGroupId.1", "sg-1"}});
  EXPECT_EQ(made.at("warning/errorSet/item/code"), "InvalidGroup.NotFound");
  EXPECT_EQ(
      t.ec2("RunInstances",
            {{"LaunchTemplate.LaunchTemplateName", "job"}, {"MinCount", "1"}, {"MaxCount", "1"}})
          .code(),
      "InvalidGroup.NotFound");
}

}  // namespace
}  // namespace fakes
