// DescribeImages, launches of unknown images, and images that the account makes.
#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

using Ids = std::vector<std::string>;

const sim::cloud::Image kOld{.name = "Deep Learning AMI (Ubuntu) Version 24.3",
                             .description = "",
                             .owner = "amazon",
                             .created = sim::parse_time("2019-09-12T20:08:51Z").value()};
const sim::cloud::Image kNew{.name = "Deep Learning AMI (Ubuntu) Version 25.0",
                             .description = "with conda",
                             .owner = "amazon",
                             .created = sim::parse_time("2019-10-08T17:16:19Z").value()};
const sim::cloud::Image kOurs{.name = "ours", .description = "", .owner = ""};
const sim::cloud::Image kTheirs{.name = "ubuntu", .description = "", .owner = "099720109477"};

class Ec2Images : public testing::Test {
 protected:
  Ids ids(const Fields& fields = {}) const {
    return t_.ec2("DescribeImages", fields).all("imagesSet/item/imageId");
  }
  TestBackend t_{{{"ami-1", kOld}, {"ami-2", kNew}, {"ami-3", kOurs}, {"ami-4", kTheirs}}};
};

TEST_F(Ec2Images, AreDescribedAsAwsDescribesThem) {
  const auto answer = t_.ec2("DescribeImages", {{"ImageId.1", "ami-2"}});
  EXPECT_EQ(answer.all("imagesSet/item/imageId"), Ids{"ami-2"});
  const auto at = [&](const std::string& name) { return answer.at("imagesSet/item/" + name); };
  EXPECT_EQ(at("name"), "Deep Learning AMI (Ubuntu) Version 25.0");
  EXPECT_EQ(at("description"), "with conda");
  EXPECT_EQ(at("creationDate"), "2019-10-08T17:16:19.000Z");
  EXPECT_EQ(at("imageState"), "available");
  EXPECT_EQ(at("imageOwnerAlias"), "amazon");
  EXPECT_EQ(at("imageOwnerId"), "137112412989");
  EXPECT_EQ(at("isPublic"), "true");
  EXPECT_EQ(at("architecture"), "x86_64");
  EXPECT_EQ(at("rootDeviceName"), "/dev/sda1");
  EXPECT_EQ(at("blockDeviceMapping/item/deviceName"), "/dev/sda1");
  EXPECT_EQ(at("blockDeviceMapping/item/ebs/volumeSize"), "8");
}

TEST_F(Ec2Images, AreFoundByTheirRootVolume) {
  EXPECT_EQ(ids({{"Filter.1.Name", "block-device-mapping.volume-size"}, {"Filter.1.Value.1", "8"}})
                .size(),
            4U);
  EXPECT_EQ(ids({{"Filter.1.Name", "block-device-mapping.snapshot-id"}, {"Filter.1.Value.1", "*"}}),
            Ids{});
}

TEST_F(Ec2Images, AreFoundByNameAndOwner) {
  EXPECT_EQ(ids(), (Ids{"ami-1", "ami-2", "ami-3", "ami-4"}));
  EXPECT_EQ(ids({{"Owner.1", "amazon"}}), (Ids{"ami-1", "ami-2"}));
  EXPECT_EQ(ids({{"Owner.1", "self"}}), Ids{"ami-3"});
  EXPECT_EQ(ids({{"Owner.1", "123456789012"}, {"Owner.2", "099720109477"}}),
            (Ids{"ami-3", "ami-4"}));
  EXPECT_EQ(ids({{"Filter.1.Name", "name"}, {"Filter.1.Value.1", "Deep Learning AMI (Ubuntu)*"}}),
            (Ids{"ami-1", "ami-2"}));
  EXPECT_EQ(ids({{"Filter.1.Name", "is-public"}, {"Filter.1.Value.1", "false"}}), Ids{"ami-3"});
  EXPECT_EQ(ids({{"Filter.1.Name", "tag:Name"}, {"Filter.1.Value.1", "*"}}), Ids{});
}

TEST_F(Ec2Images, ComeInPages) {
  const auto first = t_.ec2("DescribeImages", {{"MaxResults", "3"}});
  EXPECT_EQ(first.all("imagesSet/item/imageId"), (Ids{"ami-1", "ami-2", "ami-3"}));
  EXPECT_EQ(ids({{"MaxResults", "3"}, {"NextToken", first.at("nextToken")}}), Ids{"ami-4"});
}

TEST_F(Ec2Images, ThatAreNotThereAreRefused) {
  const auto refused = [&](const Fields& fields) { return t_.ec2("DescribeImages", fields); };
  EXPECT_EQ(refused({{"ImageId.1", "ami-9"}}).code(), "InvalidAMIID.NotFound");
  EXPECT_EQ(refused({{"ImageId.1", "ami-9"}}).message(), "The image id '[ami-9]' does not exist");
  EXPECT_EQ(
      refused({{"ImageId.1", "ami-9"}, {"ImageId.2", "ami-1"}, {"ImageId.3", "ami-8"}}).message(),
      "The image ids '[ami-9, ami-8]' do not exist");
  EXPECT_EQ(refused({{"ImageId.1", "ubuntu"}}).code(), "InvalidAMIID.Malformed");
  EXPECT_EQ(refused({{"Owner.1", "canonical"}}).code(), "InvalidUserID.Malformed");
  EXPECT_EQ(refused({{"Filter.1.Name", "colour"}, {"Filter.1.Value.1", "red"}}).code(),
            "InvalidParameterValue");
}

TEST_F(Ec2Images, ThatAreNotThereAreNotLaunched) {
  const auto launched = [&](const std::string& image) {
    return t_
        .ec2("RunInstances", {{"ImageId", image},
                              {"InstanceType", "m4.xlarge"},
                              {"MinCount", "1"},
                              {"MaxCount", "1"}})
        .code();
  };
  EXPECT_EQ(launched("ami-2"), "");
  EXPECT_EQ(launched("ami-9"), "InvalidAMIID.NotFound");
  EXPECT_EQ(launched("ubuntu"), "InvalidAMIID.Malformed");
}

// If the scenario names no images, any ID can be launched. DescribeImages shows the catalogue.
TEST(Ec2ImageCatalogue, IsFoundByNameAndOwner) {
  const TestBackend t;
  const auto names = [&](const std::string& pattern, const std::string& owner) {
    return t
        .ec2("DescribeImages",
             {{"Filter.1.Name", "name"}, {"Filter.1.Value.1", pattern}, {"Owner.1", owner}})
        .all("imagesSet/item/name");
  };
  EXPECT_EQ(names("amzn2-ami-hvm-*-x86_64-gp2", "amazon"),
            Ids{"amzn2-ami-hvm-2.0.20191024.3-x86_64-gp2"})
      << "those of 2025 are not there in 2019";
  EXPECT_EQ(names("ubuntu/images/hvm-ssd/ubuntu-*", "099720109477").size(), 1U);
  EXPECT_EQ(names("Deep Learning AMI*", "amazon").size(), 1U);
  EXPECT_EQ(names("*", "self").size(), 0U);
  const Ids ids = t.ec2("DescribeImages").all("imagesSet/item/imageId");
  EXPECT_EQ(t.ec2("DescribeImages", {{"ImageId.1", ids.at(0)}}).all("imagesSet/item/imageId"),
            Ids{ids.at(0)});
  EXPECT_EQ(t.ec2("DescribeImages", {{"ImageId.1", "ami-0123456789abcdef0"}}).code(),
            "InvalidAMIID.NotFound");
}

// CreateImage, RegisterImage, CopyImage and DeregisterImage, and how the images are described.
struct OwnImages : testing::Test {
  std::string created(const std::string& name, const Fields& more = {}) {
    Fields fields{{"InstanceId", instance}, {"Name", name}};
    fields.insert(fields.end(), more.begin(), more.end());
    const std::string id = t.ec2("CreateImage", fields).at("imageId");
    t.run(5min);
    return id;
  }
  Answer described(const std::string& id) { return t.ec2("DescribeImages", {{"ImageId.1", id}}); }
  Ids found(const std::string& filter, const std::string& value) {
    return t
        .ec2("DescribeImages",
             {{"Owner.1", "self"}, {"Filter.1.Name", filter}, {"Filter.1.Value.1", value}})
        .all("imagesSet/item/imageId");
  }

  TestBackend t;
  const std::string instance = t.instance();
};

TEST_F(OwnImages, AreDescribedWithTheirSnapshotsAndTags) {
  const std::string id = created("ours", {{"Description", "of <one>"},
                                          {"TagSpecification.1.ResourceType", "image"},
                                          {"TagSpecification.1.Tag.1.Key", "Name"},
                                          {"TagSpecification.1.Tag.1.Value", "mine"},
                                          {"TagSpecification.2.ResourceType", "snapshot"},
                                          {"TagSpecification.2.Tag.1.Key", "Name"},
                                          {"TagSpecification.2.Tag.1.Value", "theirs"}});
  const Answer answer = described(id);
  const auto at = [&](const std::string& name) { return answer.at("imagesSet/item/" + name); };
  EXPECT_EQ(at("imageState"), "available");
  EXPECT_EQ(at("imageOwnerId"), "123456789012");
  EXPECT_EQ(at("imageLocation"), "123456789012/ours");
  EXPECT_EQ(at("description"), "of <one>");
  EXPECT_EQ(at("isPublic"), "false");
  EXPECT_EQ(at("tagSet/item/value"), "mine");
  const std::string device = "blockDeviceMapping/item/";
  EXPECT_EQ(at(device + "deviceName"), "/dev/sda1");
  EXPECT_EQ(at(device + "ebs/volumeSize"), "8");
  const std::string snapshot = at(device + "ebs/snapshotId");
  EXPECT_EQ(t.ec2("DescribeSnapshots", {{"SnapshotId.1", snapshot}})
                .at("snapshotSet/item/tagSet/item/value"),
            "theirs");
  EXPECT_EQ(found("block-device-mapping.snapshot-id", snapshot), Ids{id});
  EXPECT_EQ(found("tag:Name", "mine"), Ids{id});
  EXPECT_EQ(found("source-instance-id", instance), Ids{id});
  EXPECT_EQ(found("state", "pending"), Ids{});
  t.ec2("CreateTags", {{"ResourceId.1", id}, {"Tag.1.Key", "a"}, {"Tag.1.Value", "b"}});
  EXPECT_EQ(found("tag:a", "b"), Ids{id});
}

TEST_F(OwnImages, AreRefusedWithAwsCodes) {
  const auto code = [&](const std::string& action, const Fields& fields) {
    return t.ec2(action, fields).code();
  };
  const std::string id = created("ours");
  EXPECT_EQ(code("CreateImage", {{"InstanceId", instance}, {"Name", "ours"}}),
            "InvalidAMIName.Duplicate");
  EXPECT_EQ(code("CreateImage", {{"InstanceId", instance}, {"Name", "a"}}),
            "InvalidAMIName.Malformed");
  EXPECT_EQ(code("CreateImage", {{"InstanceId", "i-0123456789abcdef0"}, {"Name", "two"}}),
            "InvalidInstanceID.NotFound");
  EXPECT_EQ(code("RegisterImage", {{"Name", "registered"}, {"RootDeviceName", "/dev/sda1"}}),
            "InvalidBlockDeviceMapping");
  EXPECT_EQ(
      code("CopyImage", {{"Name", "copy"}, {"SourceImageId", id}, {"SourceRegion", "eu-west-1"}}),
      "InvalidParameterValue");
  EXPECT_EQ(code("CopyImage",
                 {{"Name", "copy"}, {"SourceImageId", "ami-9"}, {"SourceRegion", "us-west-2"}}),
            "InvalidAMIID.NotFound");
  EXPECT_EQ(code("DeregisterImage", {{"ImageId", "ours"}}), "InvalidAMIID.Malformed");
  EXPECT_EQ(code("DeregisterImage", {{"ImageId", "ami-9"}}), "InvalidAMIID.NotFound");
  const std::string snapshot =
      described(id).at("imagesSet/item/blockDeviceMapping/item/ebs/snapshotId");
  EXPECT_EQ(code("DeleteSnapshot", {{"SnapshotId", snapshot}}), "InvalidSnapshot.InUse");
  EXPECT_EQ(code("DeregisterImage", {{"ImageId", id}}), "");
  EXPECT_EQ(code("DeregisterImage", {{"ImageId", id}}), "InvalidAMIID.Unavailable");
  EXPECT_EQ(code("DeleteSnapshot", {{"SnapshotId", snapshot}}), "");
}

TEST_F(OwnImages, HaveTheDevicesOfTheRequestsMappings) {
  const std::string volume = t.volume();
  t.ec2("AttachVolume", {{"VolumeId", volume}, {"InstanceId", instance}, {"Device", "/dev/sdf"}});
  t.run(1min);
  const auto devices = [&](const std::string& id) {
    const Answer answer = described(id);
    std::string all;
    for (const auto& item :
         answer.xml.document_element().select_nodes("imagesSet/item/blockDeviceMapping/item"))
      all += fmt::format("{} {} {}\n", item.node().child_value("deviceName"),
                         item.node().child("ebs").child_value("volumeSize"),
                         item.node().child("ebs").child_value("deleteOnTermination"));
    return all;
  };
  EXPECT_EQ(devices(created("plain")), "/dev/sda1 8 true\n/dev/sdf 100 false\n");
  const std::string mapped =
      created("mapped", {{"BlockDeviceMapping.1.DeviceName", "/dev/xvdf"},
                         {"BlockDeviceMapping.1.Ebs.DeleteOnTermination", "true"},
                         {"BlockDeviceMapping.2.DeviceName", "/dev/sdg"},
                         {"BlockDeviceMapping.2.Ebs.VolumeSize", "20"}});
  EXPECT_EQ(devices(mapped), "/dev/sda1 8 true\n/dev/sdf 100 true\n/dev/sdg 20 true\n");
  EXPECT_EQ(devices(created("without", {{"BlockDeviceMapping.1.DeviceName", "/dev/sdf"},
                                        {"BlockDeviceMapping.1.NoDevice", ""}})),
            "/dev/sda1 8 true\n");
  EXPECT_EQ(t.ec2("CreateImage", {{"InstanceId", instance},
                                  {"Name", "no size"},
                                  {"BlockDeviceMapping.1.DeviceName", "/dev/sdz"},
                                  {"BlockDeviceMapping.1.Ebs.DeleteOnTermination", "true"}})
                .code(),
            "MissingParameter");
}

TEST_F(OwnImages, ShowAndChangeTheirAttributes) {
  const std::string id = created("ours", {{"Description", "first"}});
  const auto shown = [&](const std::string& attribute) {
    return t.ec2("DescribeImageAttribute", {{"ImageId", id}, {"Attribute", attribute}});
  };
  const auto modified = [&](Fields fields) {
    fields.emplace_back("ImageId", id);
    return t.ec2("ModifyImageAttribute", fields).code();
  };
  EXPECT_EQ(shown("description").at("description/value"), "first");
  EXPECT_EQ(shown("description").at("imageId"), id);
  EXPECT_EQ(modified({{"Description.Value", "second"}}), "");
  EXPECT_EQ(shown("description").at("description/value"), "second");
  EXPECT_EQ(modified({{"Attribute", "description"}, {"Value", "third"}}), "");
  EXPECT_EQ(described(id).at("imagesSet/item/description"), "third");
  const auto permitted = [&] { return shown("launchPermission").all("launchPermission/item/*"); };
  EXPECT_EQ(permitted(), Ids{});
  EXPECT_EQ(modified({{"LaunchPermission.Add.1.UserId", "210987654321"},
                      {"LaunchPermission.Add.2.Group", "all"}}),
            "");
  EXPECT_EQ(permitted(), (Ids{"all", "210987654321"}));
  EXPECT_EQ(described(id).at("imagesSet/item/isPublic"), "true");
  EXPECT_EQ(
      modified(
          {{"Attribute", "launchPermission"}, {"OperationType", "remove"}, {"UserGroup.1", "all"}}),
      "");
  EXPECT_EQ(permitted(), Ids{"210987654321"});
  EXPECT_EQ(modified({{"LaunchPermission.Add.1.UserId", "me"}}), "InvalidAMIAttributeItemValue");
  EXPECT_EQ(modified({{"LaunchPermission.Add.1.Group", "some"}}), "InvalidAMIAttributeItemValue");
  t.ec2("ResetImageAttribute", {{"ImageId", id}, {"Attribute", "launchPermission"}});
  EXPECT_EQ(permitted(), Ids{});
  EXPECT_EQ(shown("blockDeviceMapping").code(), "AuthFailure");
}

TEST_F(OwnImages, AreFoundByWhoMayLaunchThem) {
  const std::string id = created("ours"), other = created("others");
  const auto launched_by = [&](const std::string& user) {
    return t.ec2("DescribeImages", {{"ExecutableBy.1", user}, {"Owner.1", "self"}})
        .all("imagesSet/item/imageId");
  };
  const auto permit = [&](const std::string& image, const char* name, const char* value) {
    t.ec2("ModifyImageAttribute", {{"ImageId", image}, {name, value}});
  };
  permit(id, "LaunchPermission.Add.1.UserId", "210987654321");
  EXPECT_EQ(launched_by("210987654321"), Ids{id});
  EXPECT_EQ(launched_by("self"), Ids{});
  EXPECT_EQ(launched_by("all"), Ids{});
  permit(other, "LaunchPermission.Add.1.Group", "all");
  EXPECT_EQ(launched_by("210987654321"), Ids{id}) << "without public ones";
  EXPECT_EQ(launched_by("all"), Ids{other});
}

TEST_F(OwnImages, AreNoErrorSoonAfterTheirDeregistration) {
  const std::string id = created("ours");
  t.ec2("DeregisterImage", {{"ImageId", id}});
  EXPECT_EQ(described(id).code(), "");
  EXPECT_EQ(described(id).all("imagesSet/item/imageId"), Ids{});
  t.run(1h);
  EXPECT_EQ(described(id).code(), "InvalidAMIID.NotFound");
}

TEST_F(OwnImages, AreNoErrorWhileAnInstanceHasThem) {
  const std::string id = created("ours");
  const std::string launched =
      t.ec2("RunInstances",
            {{"ImageId", id}, {"InstanceType", "m4.xlarge"}, {"MinCount", "1"}, {"MaxCount", "1"}})
          .at("instancesSet/item/instanceId");
  t.ec2("DeregisterImage", {{"ImageId", id}});
  t.run(2h);
  EXPECT_EQ(described(id).code(), "");
  t.ec2("TerminateInstances", {{"InstanceId.1", launched}});
  t.run(2h);
  EXPECT_EQ(described(id).code(), "InvalidAMIID.NotFound");
}

TEST_F(OwnImages, OfSnapshotsAndCopiesAreLaunched) {
  const std::string id = created("ours", {{"NoReboot", "true"}});
  const std::string snapshot =
      described(id).at("imagesSet/item/blockDeviceMapping/item/ebs/snapshotId");
  const std::string registered =
      t.ec2("RegisterImage", {{"Name", "registered"},
                              {"ImdsSupport", "v2.0"},
                              {"BlockDeviceMapping.1.DeviceName", "/dev/xvda"},
                              {"BlockDeviceMapping.1.Ebs.SnapshotId", snapshot},
                              {"BlockDeviceMapping.2.DeviceName", "/dev/sdf"},
                              {"BlockDeviceMapping.2.Ebs.VolumeSize", "20"}})
          .at("imageId");
  EXPECT_EQ(described(registered).at("imagesSet/item/imdsSupport"), "v2.0");
  const std::string copy =
      t.ec2("CopyImage",
            {{"Name", "copy"}, {"SourceImageId", registered}, {"SourceRegion", "us-west-2"}})
          .at("imageId");
  t.run(5min);
  const Answer launched = t.ec2(
      "RunInstances",
      {{"ImageId", copy}, {"InstanceType", "m4.xlarge"}, {"MinCount", "1"}, {"MaxCount", "1"}});
  EXPECT_EQ(launched.at("instancesSet/item/imageId"), copy);
  EXPECT_EQ(launched.at("instancesSet/item/metadataOptions/httpTokens"), "required");
  const std::string second = launched.at("instancesSet/item/instanceId");
  EXPECT_EQ(t.cloud.attached_to({second}).size(), 2U);
}

TEST(Ec2ImageCatalogue, HasEachImageThatALaunchTook) {
  TestBackend t;
  const std::string image = "ami-0123456789abcdef0";
  const auto found = [&] {
    return t.ec2("DescribeImages", {{"ImageId.1", image}}).all("imagesSet/item/imageId");
  };
  EXPECT_EQ(found(), Ids{});
  EXPECT_EQ(t.ec2("RunInstances", {{"ImageId", image},
                                   {"InstanceType", "m4.xlarge"},
                                   {"MinCount", "1"},
                                   {"MaxCount", "1"}})
                .code(),
            "");
  EXPECT_EQ(found(), Ids{image});
  EXPECT_EQ(t.ec2("DescribeImages", {{"Owner.1", "self"}}).all("imagesSet/item/imageId"), Ids{});
}

}  // namespace
}  // namespace fakes
