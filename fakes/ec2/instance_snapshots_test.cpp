// CreateSnapshots: snapshots of all volumes of an instance.
#include <gtest/gtest.h>

#include <algorithm>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

using Texts = std::vector<std::string>;

struct InstanceSnapshots : testing::Test {
  InstanceSnapshots() {
    const Answer launched = t.ec2("RunInstances", {{"ImageId", "ami-1"},
                                                   {"InstanceType", "m4.xlarge"},
                                                   {"Placement.AvailabilityZone", "us-west-2a"},
                                                   {"BlockDeviceMapping.1.DeviceName", "/dev/sdf"},
                                                   {"BlockDeviceMapping.1.Ebs.VolumeSize", "80"},
                                                   {"TagSpecification.1.ResourceType", "volume"},
                                                   {"TagSpecification.1.Tag.1.Key", "job"},
                                                   {"TagSpecification.1.Tag.1.Value", "train"},
                                                   {"MinCount", "1"},
                                                   {"MaxCount", "1"}});
    instance = launched.at("instancesSet/item/instanceId");
    t.run(2min);
    const Answer shown = t.ec2("DescribeInstances", {{"InstanceId.1", instance}});
    const Texts volumes =
        shown.all("reservationSet/item/instancesSet/item/blockDeviceMapping/item/ebs/volumeId");
    root = volumes.at(0);
    data = volumes.at(1);
  }
  Answer create(const Fields& more = {}) const {
    Fields fields{{"InstanceSpecification.InstanceId", instance}};
    fields.insert(fields.end(), more.begin(), more.end());
    return t.ec2("CreateSnapshots", fields);
  }
  Texts volumes(const Fields& more = {}) const {
    Texts all = create(more).all("snapshotSet/item/volumeId");
    std::ranges::sort(all);
    return all;
  }
  TestBackend t;
  std::string instance, root, data;
};

TEST_F(InstanceSnapshots, AreOfAllItsVolumes) {
  Texts both{root, data};
  std::ranges::sort(both);
  EXPECT_EQ(volumes(), both);
  EXPECT_EQ(volumes({{"InstanceSpecification.ExcludeBootVolume", "true"}}), Texts{data});
  EXPECT_EQ(volumes({{"InstanceSpecification.ExcludeDataVolumeId.1", data}}), Texts{root});
  t.run(1h);
  EXPECT_EQ(t.ec2("DescribeSnapshots").all("snapshotSet/item/status"), Texts(4, "completed"));
}

TEST_F(InstanceSnapshots, HaveTheirVolumesTagsIfAsked) {
  const Answer made = create({{"InstanceSpecification.ExcludeBootVolume", "true"},
                              {"CopyTagsFromSource", "volume"},
                              {"Description", "before the hop"},
                              {"TagSpecification.1.ResourceType", "snapshot"},
                              {"TagSpecification.1.Tag.1.Key", "step"},
                              {"TagSpecification.1.Tag.1.Value", "7"}});
  const std::string item = "snapshotSet/item/";
  EXPECT_EQ(made.at(item + "description"), "before the hop");
  EXPECT_EQ(made.at(item + "volumeSize"), "80");
  EXPECT_EQ(made.all(item + "tagSet/item/value"), (Texts{"train", "7"}));
}

// EC2 User Guide, "Tag restrictions".
TEST_F(InstanceSnapshots, HaveNoTagsOfOtherServices) {
  t.cloud.add_service_tags(data, {{"aws:cloudformation:stack-name", "training"}});
  const Answer made = create(
      {{"InstanceSpecification.ExcludeBootVolume", "true"}, {"CopyTagsFromSource", "volume"}});
  EXPECT_EQ(made.code(), "");
  EXPECT_EQ(made.all("snapshotSet/item/tagSet/item/key"), Texts{"job"});
}

TEST_F(InstanceSnapshots, AreAllMadeOrNone) {
  const std::string busy = std::max(root, data);  // the other volume comes first
  for (int i = 0; i < 5; ++i) t.ec2("CreateSnapshot", {{"VolumeId", busy}});
  EXPECT_EQ(create().code(), "ConcurrentSnapshotLimitExceeded");
  EXPECT_EQ(t.cloud.snapshots().size(), 5U);
}

TEST_F(InstanceSnapshots, ExcludeOnlyDataVolumesOfTheInstance) {
  const auto excluding = [&](const std::string& volume) {
    return create({{"InstanceSpecification.ExcludeDataVolumeId.1", volume}}).code();
  };
  EXPECT_EQ(excluding(root), "InvalidParameterValue");
  EXPECT_EQ(excluding("vol-0123456789abcdef0"), "InvalidParameterValue");
  EXPECT_EQ(t.ec2("CreateSnapshots").code(), "MissingParameter");
  EXPECT_TRUE(t.cloud.snapshots().empty());
}

}  // namespace
}  // namespace fakes
