// Changes of volumes, and the attributes of volumes and snapshots, in EC2's API.
#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

using Texts = std::vector<std::string>;

const std::string kItem = "volumeModificationSet/item/";

struct ModifiedVolume : TestBackend {
  explicit ModifiedVolume(const Fields& more = {}) { id = volume(more); }
  Answer modify(Fields fields) const {
    fields.emplace_back("VolumeId", id);
    return ec2("ModifyVolume", fields);
  }
  Answer described(const Fields& fields = {}) const {
    return ec2("DescribeVolumesModifications", fields);
  }

  std::string id;
};

TEST(Ec2ModifyVolume, GoesThroughItsStates) {
  ModifiedVolume t(Fields{{"VolumeType", "gp2"}});
  const auto begun = t.modify({{"Size", "200"}, {"VolumeType", "gp3"}, {"Throughput", "250"}});
  EXPECT_EQ(begun.at("volumeModification/modificationState"), "modifying");
  EXPECT_EQ(begun.at("volumeModification/originalSize"), "100");
  EXPECT_EQ(begun.at("volumeModification/originalVolumeType"), "gp2");
  EXPECT_EQ(begun.at("volumeModification/originalThroughput"), "");
  EXPECT_EQ(begun.at("volumeModification/targetIops"), "3000");
  EXPECT_EQ(begun.at("volumeModification/targetThroughput"), "250");
  EXPECT_EQ(begun.at("volumeModification/progress"), "0");
  EXPECT_EQ(t.modify({{"Size", "300"}}).code(), "IncorrectModificationState");

  t.run(30min);
  EXPECT_EQ(t.ec2("DescribeVolumes").at("volumeSet/item/size"), "200");
  const auto optimizing = t.described({{"VolumeId.1", t.id}});
  EXPECT_EQ(optimizing.at(kItem + "modificationState"), "optimizing");
  EXPECT_EQ(optimizing.at(kItem + "progress"), "42") << "of an hour and ten minutes";
  EXPECT_EQ(optimizing.at(kItem + "endTime"), "");

  t.run(1h);
  const auto completed = t.described();
  EXPECT_EQ(completed.at(kItem + "modificationState"), "completed");
  EXPECT_EQ(completed.at(kItem + "progress"), "100");
  EXPECT_NE(completed.at(kItem + "endTime"), "");
}

TEST(Ec2ModifyVolume, RefusesWhatEc2Refuses) {
  ModifiedVolume t;
  EXPECT_EQ(t.modify({}).code(), "InvalidParameterCombination");
  EXPECT_EQ(t.modify({{"Size", "50"}}).code(), "InvalidParameterValue");
  EXPECT_EQ(t.modify({{"MultiAttachEnabled", "true"}}).code(), "UnsupportedOperation");
  EXPECT_EQ(t.modify({{"VolumeType", "io9"}}).status(), 400);
  EXPECT_EQ(t.ec2("ModifyVolume", {{"VolumeId", "vol-0123456789abcdef0"}, {"Size", "5"}}).code(),
            "InvalidVolume.NotFound");
  EXPECT_EQ(t.described({{"VolumeId.1", t.id}}).code(), "InvalidVolumeModification.NotFound");
  EXPECT_EQ(t.described().all(kItem + "volumeId"), Texts{});
}

TEST(Ec2ModifyVolume, ModificationsAreFiltered) {
  ModifiedVolume t(Fields{{"VolumeType", "gp2"}});
  t.modify({{"Size", "200"}});
  const auto found = [&](const std::string& filter, const std::string& value) {
    return t.described({{"Filter.1.Name", filter}, {"Filter.1.Value.1", value}})
        .all(kItem + "volumeId");
  };
  const Texts it{t.id};
  EXPECT_EQ(found("modification-state", "modifying"), it);
  EXPECT_EQ(found("modification-state", "completed"), Texts{});
  EXPECT_EQ(found("original-size", "100"), it);
  EXPECT_EQ(found("original-iops", "300"), it);
  EXPECT_EQ(found("original-volume-type", "gp2"), it);
  EXPECT_EQ(found("target-size", "200"), it);
  EXPECT_EQ(found("target-iops", "600"), it);
  EXPECT_EQ(found("target-volume-type", "gp?"), it);
  EXPECT_EQ(found("originalMultiAttachEnabled", "false"), it);
  EXPECT_EQ(found("targetMultiAttachEnabled", "true"), Texts{});
  EXPECT_EQ(found("start-time", "2019-11-05*"), it);
  EXPECT_EQ(found("volume-id", t.id), it);
}

TEST(Ec2VolumeAttributes, AreShownAndChanged) {
  ModifiedVolume t;
  const auto attribute = [&](const std::string& name) {
    return t.ec2("DescribeVolumeAttribute", {{"VolumeId", t.id}, {"Attribute", name}});
  };
  EXPECT_EQ(attribute("autoEnableIO").at("autoEnableIO/value"), "false");
  EXPECT_EQ(
      t.ec2("ModifyVolumeAttribute", {{"VolumeId", t.id}, {"AutoEnableIO.Value", "true"}}).status(),
      200);
  EXPECT_EQ(attribute("autoEnableIO").at("autoEnableIO/value"), "true");
  EXPECT_EQ(attribute("productCodes").status(), 200);
  EXPECT_EQ(t.ec2("ModifyVolumeAttribute", {{"VolumeId", t.id}}).code(), "MissingParameter");
}

TEST(Ec2SnapshotAttributes, ShareASnapshotAndResetIt) {
  ModifiedVolume t;
  const std::string id = t.ec2("CreateSnapshot", {{"VolumeId", t.id}}).at("snapshotId");
  const Fields permission{{"SnapshotId", id}, {"Attribute", "createVolumePermission"}};
  const auto modify = [&](Fields fields) {
    fields.insert(fields.end(), permission.begin(), permission.end());
    return t.ec2("ModifySnapshotAttribute", fields);
  };
  const auto shared_with = [&] {
    const auto answer = t.ec2("DescribeSnapshotAttribute", permission);
    Texts with = answer.all("createVolumePermission/item/group");
    for (const auto& account : answer.all("createVolumePermission/item/userId"))
      with.push_back(account);
    return with;
  };
  EXPECT_EQ(shared_with(), Texts{});
  EXPECT_EQ(modify({{"OperationType", "add"}, {"UserId.1", "210987654321"}}).status(), 200);
  EXPECT_EQ(modify({{"CreateVolumePermission.Add.1.Group", "all"}}).status(), 200);
  EXPECT_EQ(shared_with(), (Texts{"all", "210987654321"}));
  EXPECT_EQ(modify({{"CreateVolumePermission.Remove.1.UserId", "210987654321"}}).status(), 200);
  EXPECT_EQ(shared_with(), Texts{"all"});
  EXPECT_EQ(modify({{"OperationType", "add"}, {"UserId.1", "me"}}).code(),
            "InvalidUserID.Malformed");
  EXPECT_EQ(modify({{"OperationType", "add"}, {"UserGroup.1", "some"}}).code(),
            "InvalidParameterValue");
  EXPECT_EQ(t.ec2("ResetSnapshotAttribute", permission).status(), 200);
  EXPECT_EQ(shared_with(), Texts{});
}

TEST(Ec2SnapshotAttributes, AnEncryptedSnapshotCannotBePublic) {
  ModifiedVolume t(Fields{{"Encrypted", "true"}});
  const std::string id = t.ec2("CreateSnapshot", {{"VolumeId", t.id}}).at("snapshotId");
  EXPECT_EQ(t.ec2("ModifySnapshotAttribute",
                  {{"SnapshotId", id}, {"CreateVolumePermission.Add.1.Group", "all"}})
                .code(),
            "OperationNotPermitted");
}

}  // namespace
}  // namespace fakes
