#include <gtest/gtest.h>

#include <algorithm>

#include "base/text/base64.h"
#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

using Texts = std::vector<std::string>;

TEST(Ec2, AVolumeIsDescribedAsAwsDescribesIt) {
  TestBackend t;
  const auto id = t.volume({{"VolumeType", "gp2"},
                            {"TagSpecification.1.ResourceType", "volume"},
                            {"TagSpecification.1.Tag.1.Key", "Name"},
                            {"TagSpecification.1.Tag.1.Value", "DL & <checkpoints>"}});
  const auto answer = t.ec2("DescribeVolumes");
  EXPECT_EQ(answer.status(), 200);
  const auto request_id = answer.at("requestId");
  EXPECT_EQ(
      answer.body(),
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<DescribeVolumesResponse xmlns=\"http://ec2.amazonaws.com/doc/2016-11-15/\"><requestId>" +
          request_id +
          "</requestId><volumeSet><item><attachmentSet/><availabilityZone>us-west-2b"
          "</availabilityZone><createTime>2019-11-05T10:00:00.000Z</createTime>"
          "<encrypted>false</encrypted><size>100</size><snapshotId/><status>available</status>"
          "<volumeId>" +
          id +
          "</volumeId><iops>300</iops><tagSet><item><key>Name</key>"
          "<value>DL &amp; &lt;checkpoints&gt;</value></item></tagSet>"
          "<volumeType>gp2</volumeType><multiAttachEnabled>false</multiAttachEnabled></item>"
          "</volumeSet>"
          "</DescribeVolumesResponse>");
}

TEST(Ec2, ErrorsComeInEc2sShape) {
  TestBackend t;
  const auto answer = t.ec2("DeleteVolume", {{"VolumeId", "vol-0123456789abcdef0"}});
  EXPECT_EQ(answer.status(), 400);
  EXPECT_EQ(answer.code(), "InvalidVolume.NotFound");
  EXPECT_EQ(answer.message(), "The volume 'vol-0123456789abcdef0' does not exist.");
  EXPECT_EQ(answer.at("RequestID").size(), 36U);
}

TEST(Ec2, WhatIsNotKnownIsRefusedByName) {
  TestBackend t;
  EXPECT_EQ(t.ec2("MakeCoffee").code(), "InvalidAction");
  EXPECT_EQ(t.ec2("AllocateHosts").message(),
            "The action AllocateHosts is not part of this simulated AWS.");
  EXPECT_EQ(t.ec2("DescribeVolumes", {{"Colour", "red"}}).message(),
            "The parameter Colour is not recognized");
  EXPECT_EQ(t.ec2("DescribeVolumes", {{"Filter.1.Name", "colour"}, {"Filter.1.Value.1", "red"}})
                .message(),
            "The filter 'colour' is invalid");
  EXPECT_EQ(t.ec2("CreateVolume", {{"AvailabilityZone", "us-west-2a"}, {"Size", "big"}}).code(),
            "InvalidParameterValue");
  EXPECT_EQ(t.ec2("AttachVolume").code(), "MissingParameter");
  EXPECT_EQ(t.ec2("DescribeInstances", {{"InstanceId.1", "i-xyz"}}).code(),
            "InvalidInstanceID.Malformed");
  EXPECT_EQ(t.send(TestBackend::post("Action=DescribeVolumes&Version=2010-01-01")).code(),
            "NoSuchVersion");
}

TEST(Ec2, AConsoleOutputIsTheLastOfWhatTheMachineHasShown) {
  TestBackend t;
  const auto id = t.instance();
  const auto none = t.ec2("GetConsoleOutput", {{"InstanceId", id}});
  EXPECT_EQ(none.at("instanceId"), id);
  EXPECT_EQ(none.at("output"), "");
  EXPECT_EQ(none.at("timestamp"), "2019-11-05T10:02:00.000Z");
  t.host.console_text = std::string(70000, '.') + "the end";
  const auto shown = t.ec2("GetConsoleOutput", {{"InstanceId", id}, {"Latest", "true"}});
  const std::string text = base::base64_decode(shown.at("output")).value_or("");
  EXPECT_EQ(text.size(), 65536U);
  EXPECT_TRUE(text.ends_with(".the end"));
  EXPECT_EQ(t.ec2("GetConsoleOutput", {{"InstanceId", "i-01234567"}}).code(),
            "InvalidInstanceID.NotFound");
  EXPECT_EQ(t.ec2("GetConsoleOutput").code(), "MissingParameter");
}

TEST(Ec2, ADryRunDoesNothing) {
  TestBackend t;
  const auto answer = t.ec2(
      "CreateVolume", {{"AvailabilityZone", "us-west-2a"}, {"Size", "1"}, {"DryRun", "true"}});
  EXPECT_EQ(answer.status(), 412);
  EXPECT_EQ(answer.code(), "DryRunOperation");
  EXPECT_TRUE(t.cloud.volumes().empty());
}

TEST(Ec2, AClientTokenMakesARepeatedRequestOne) {
  TestBackend t;
  Fields fields{{"AvailabilityZone", "us-west-2a"}, {"Size", "1"}, {"ClientToken", "x"}};
  const auto first = t.ec2("CreateVolume", fields), again = t.ec2("CreateVolume", fields);
  EXPECT_EQ(first.at("volumeId"), again.at("volumeId"));
  EXPECT_NE(first.at("requestId"), again.at("requestId"));
  EXPECT_EQ(t.cloud.volumes().size(), 1U);
  fields[1].second = "2";
  EXPECT_EQ(t.ec2("CreateVolume", fields).code(), "IdempotentParameterMismatch");
}

// The instance that replaces another repeats the other one's request.
TEST(Ec2, AClientTokenIsSharedByAllCallersOfTheAccount) {
  TestBackend t;
  Fields fields{{"ImageId", "ami-0123456789abcdef0"},
                {"InstanceType", "m4.xlarge"},
                {"MinCount", "1"},
                {"MaxCount", "1"},
                {"ClientToken", "job/attempt-2"}};
  const auto first = t.ec2("RunInstances", fields);
  t.api = aws(t.backend, "i-0123456789abcdef0");
  const auto again = t.ec2("RunInstances", fields);
  EXPECT_EQ(first.at("instancesSet/item/instanceId"), again.at("instancesSet/item/instanceId"));
  EXPECT_NE(first.at("requestId"), again.at("requestId"));
  EXPECT_EQ(t.cloud.instances().size(), 1U);
  fields[1].second = "m5.xlarge";
  EXPECT_EQ(t.ec2("RunInstances", fields).code(), "IdempotentParameterMismatch");
}

// Each action with a token makes one resource, also if another caller repeats the request.
TEST(Ec2, EveryActionKnowsTheTokensOfTheAccount) {
  TestBackend t;
  const std::string spec = "SpotFleetRequestConfig.";
  const std::vector<std::pair<const char*, Fields>> requests{
      {"CreateVolume",
       {{"AvailabilityZone", "us-west-2a"}, {"Size", "1"}, {"ClientToken", "same"}}},
      {"CreateLaunchTemplate",
       {{"LaunchTemplateName", "job"},
        {"LaunchTemplateData.InstanceType", "m4.xlarge"},
        {"ClientToken", "same"}}},
      {"RequestSpotInstances",
       {{"LaunchSpecification.ImageId", "ami-0123456789abcdef0"},
        {"LaunchSpecification.InstanceType", "p3.2xlarge"},
        {"ClientToken", "same"}}},
      {"RequestSpotFleet",
       {{spec + "IamFleetRole", "arn:aws:iam::123456789012:role/fleet"},
        {spec + "TargetCapacity", "1"},
        {spec + "LaunchSpecifications.1.ImageId", "ami-0123456789abcdef0"},
        {spec + "LaunchSpecifications.1.InstanceType", "p3.2xlarge"},
        {spec + "ClientToken", "same"}}}};
  for (const char* caller : {"operator", "i-0123456789abcdef0"}) {
    t.api = aws(t.backend, caller);
    for (const auto& [action, fields] : requests) EXPECT_EQ(t.ec2(action, fields).code(), "");
  }
  EXPECT_EQ(t.cloud.volumes().size(), 1U);
  EXPECT_EQ(t.cloud.launch_templates().size(), 1U);
  EXPECT_EQ(t.cloud.spot_requests().size(), 1U);
  EXPECT_EQ(t.cloud.fleets().size(), 1U);
}

TEST(Ec2, ACallIsALineInTheLogWithoutItsSecrets) {
  TestBackend t;
  t.instance({{"UserData", "c2VjcmV0"}});
  const auto call = std::find_if(t.events.begin(), t.events.end(),
                                 [](const auto& e) { return e.kind == "api.call"; });
  ASSERT_NE(call, t.events.end());
  EXPECT_EQ(call->fields["service"], "ec2");
  EXPECT_EQ(call->fields["action"], "RunInstances");
  EXPECT_EQ(call->fields["caller"], "operator");
  EXPECT_EQ(call->fields["result"], "ok");
  EXPECT_EQ(call->fields["request"]["InstanceType"], "m4.xlarge");
  EXPECT_EQ(call->fields["request"]["UserData"], "(8 characters)");
}

TEST(Ec2, VolumesAttachWhereTheyAreAndGoAway) {
  TestBackend t;
  const auto instance = t.instance(), volume = t.volume();
  const auto attached = t.ec2(
      "AttachVolume", {{"VolumeId", volume}, {"InstanceId", instance}, {"Device", "/dev/sdf"}});
  EXPECT_EQ(attached.at("status"), "attaching");
  EXPECT_EQ(attached.at("device"), "/dev/sdf");
  t.run(1min);
  const auto described = t.ec2("DescribeVolumes", {{"VolumeId.1", volume}});
  EXPECT_EQ(described.at("volumeSet/item/status"), "in-use");
  EXPECT_EQ(described.at("volumeSet/item/attachmentSet/item/instanceId"), instance);
  EXPECT_EQ(t.ec2("DescribeInstances", {{"InstanceId.1", instance}})
                .at("reservationSet/item/instancesSet/item/blockDeviceMapping/"
                    "item[deviceName='/dev/sdf']/ebs/volumeId"),
            volume);
  EXPECT_EQ(t.ec2("DeleteVolume", {{"VolumeId", volume}}).code(), "VolumeInUse");

  EXPECT_EQ(t.ec2("DetachVolume", {{"VolumeId", volume}, {"Device", "/dev/sdg"}}).code(),
            "InvalidAttachment.NotFound");
  EXPECT_EQ(t.ec2("DetachVolume", {{"VolumeId", volume}}).at("status"), "detaching");
  t.run(1min);
  EXPECT_EQ(t.ec2("DeleteVolume", {{"VolumeId", volume}}).at("return"), "true");
  const std::string shown = "volumeSet/item[volumeId='" + volume + "']/status";
  EXPECT_EQ(t.ec2("DescribeVolumes").at(shown), "deleting");
  t.run(2min);
  EXPECT_TRUE(t.ec2("DescribeVolumes").all(shown).empty());
  EXPECT_EQ(t.ec2("DescribeVolumes", {{"VolumeId.1", volume}}).code(), "InvalidVolume.NotFound");
}

TEST(Ec2, AnotherZonesVolumeIsRefused) {
  TestBackend t;
  const auto instance = t.instance();
  const auto volume =
      t.ec2("CreateVolume", {{"AvailabilityZone", "us-west-2a"}, {"Size", "1"}}).at("volumeId");
  t.run(1min);
  EXPECT_EQ(t.ec2("AttachVolume",
                  {{"VolumeId", volume}, {"InstanceId", instance}, {"Device", "/dev/sdf"}})
                .code(),
            "InvalidVolume.ZoneMismatch");
}

// An escaped letter matches only itself, and prevents a lookup by index.
TEST(Ec2, FiltersThatAreLookedUpFindWhatAWalkFinds) {
  TestBackend t;
  std::vector<std::string> ids;
  for (int i = 0; i < 6; ++i)
    ids.push_back(t.volume({{"TagSpecification.1.ResourceType", "volume"},
                            {"TagSpecification.1.Tag.1.Key", "n"},
                            {"TagSpecification.1.Tag.1.Value", i % 2 == 0 ? "even" : "odd"}}));
  t.ec2("CreateTags", {{"ResourceId.1", ids[1]}, {"Tag.1.Key", "n"}, {"Tag.1.Value", "even"}});
  t.ec2("DeleteTags", {{"ResourceId.1", ids[2]}, {"Tag.1.Key", "n"}});
  t.ec2("DeleteVolume", {{"VolumeId", ids[0]}});
  t.run(5min);
  const auto found = [&](const std::string& name, const Texts& values, bool escaped) {
    Fields fields{{"Filter.1.Name", name}, {"Filter.2.Name", "size"}, {"Filter.2.Value.1", "100"}};
    for (const auto& value : values)
      fields.emplace_back("Filter.1.Value." + std::to_string(fields.size()),
                          (escaped ? "\\" : "") + value);
    return t.ec2("DescribeVolumes", fields).all("volumeSet/item/volumeId");
  };
  const auto looked_up = [&](const std::string& name, const Texts& values) {
    const Texts walked = found(name, values, true);
    EXPECT_EQ(found(name, values, false), walked) << name;
    return walked.size();
  };
  EXPECT_EQ(looked_up("tag:n", {"even"}), 2U);
  EXPECT_EQ(looked_up("tag:n", {"odd", "even"}), 4U);
  EXPECT_EQ(looked_up("tag:n", {"none"}), 0U);
  EXPECT_EQ(looked_up("tag:m", {"even"}), 0U);
  EXPECT_EQ(looked_up("volume-id", {ids[3], ids[0], ids[1], "i-0"}), 2U);
}

TEST(Ec2, FiltersAndPagesTogether) {
  TestBackend t;
  for (int i = 0; i < 12; ++i) {
    t.ec2("CreateVolume", {{"AvailabilityZone", i % 2 ? "us-west-2a" : "us-west-2b"},
                           {"Size", "1"},
                           {"TagSpecification.1.ResourceType", "volume"},
                           {"TagSpecification.1.Tag.1.Key", "Name"},
                           {"TagSpecification.1.Tag.1.Value", "v" + std::to_string(i)}});
  }
  Fields fields{{"Filter.1.Name", "tag:Name"},      {"Filter.1.Value.1", "v?"},
                {"Filter.1.Value.2", "v1*"},        {"Filter.2.Name", "availability-zone"},
                {"Filter.2.Value.1", "us-west-2b"}, {"MaxResults", "5"}};
  const auto first = t.ec2("DescribeVolumes", fields);
  EXPECT_EQ(first.all("volumeSet/item").size(), 5U);
  fields.push_back({"NextToken", first.at("nextToken")});
  const auto last = t.ec2("DescribeVolumes", fields);
  EXPECT_EQ(last.all("volumeSet/item").size(), 1U);
  EXPECT_EQ(last.at("nextToken"), "");
  fields.back().second = "bogus";
  EXPECT_EQ(t.ec2("DescribeVolumes", fields).code(), "InvalidNextToken");
  EXPECT_EQ(t.ec2("DescribeVolumes", {{"MaxResults", "5"}, {"VolumeId.1", "vol-01234567"}}).code(),
            "InvalidParameterCombination");
}

TEST(Ec2, ASnapshotShowsItsProgressAndMakesAVolumeElsewhere) {
  TestBackend t;
  const auto volume = t.volume();
  const auto made = t.ec2("CreateSnapshot", {{"VolumeId", volume}, {"Description", "hop"}});
  const auto snapshot = made.at("snapshotId");
  EXPECT_EQ(made.at("status"), "pending");
  EXPECT_EQ(made.at("progress"), "0%");
  t.run(20s);
  const auto half = t.ec2("DescribeSnapshots", {{"SnapshotId.1", snapshot}, {"Owner.1", "self"}})
                        .at("snapshotSet/item/progress");
  EXPECT_TRUE(half > "2" && half < "7" && half.ends_with("%")) << half;
  t.run(2min);
  EXPECT_EQ(t.ec2("DescribeSnapshots").at("snapshotSet/item/progress"), "100%");
  const auto copy =
      t.ec2("CreateVolume", {{"AvailabilityZone", "us-west-2a"}, {"SnapshotId", snapshot}});
  EXPECT_EQ(copy.at("size"), "100");
  EXPECT_EQ(copy.at("snapshotId"), snapshot);
  t.run(1min);
  EXPECT_EQ(t.ec2("DeleteSnapshot", {{"SnapshotId", snapshot}}).at("return"), "true");
  EXPECT_EQ(t.ec2("DescribeSnapshots", {{"SnapshotId.1", snapshot}}).code(),
            "InvalidSnapshot.NotFound");
}

TEST(Ec2, ATerminatedInstanceIsShownForAnHour) {
  TestBackend t;
  const auto id = t.instance();
  const auto ended = t.ec2("TerminateInstances", {{"InstanceId.1", id}});
  EXPECT_EQ(ended.at("instancesSet/item/currentState/name"), "shutting-down");
  EXPECT_EQ(ended.at("instancesSet/item/previousState/code"), "16");
  t.run(1min);
  const auto shown = t.ec2("DescribeInstances", {{"InstanceId.1", id}});
  const std::string item = "reservationSet/item/instancesSet/item/";
  EXPECT_EQ(shown.at(item + "instanceState/name"), "terminated");
  EXPECT_EQ(shown.at(item + "stateReason/code"), "Client.UserInitiatedShutdown");
  t.run(1h);
  EXPECT_EQ(t.ec2("DescribeInstances", {{"InstanceId.1", id}}).code(),
            "InvalidInstanceID.NotFound");
}

TEST(Ec2, ARebootedInstanceRunsOn) {
  TestBackend t;
  const auto id = t.instance();
  EXPECT_EQ(t.ec2("RebootInstances", {{"InstanceId.1", id}}).at("return"), "true");
  t.run(1min);
  const auto shown = t.ec2("DescribeInstances", {{"InstanceId.1", id}});
  EXPECT_EQ(shown.at("reservationSet/item/instancesSet/item/instanceState/name"), "running");
  EXPECT_EQ(t.ec2("RebootInstances", {{"InstanceId.1", "i-0123456789abcdef0"}}).code(),
            "InvalidInstanceID.NotFound");
}

// Seven launches at once, then three and one. The order of their IDs is not that of the launches.
struct Launches {
  explicit Launches(TestBackend& t) {
    for (const char* count : {"7", "3", "1"}) {
      const auto answer = t.ec2("RunInstances", {{"ImageId", "ami-0123456789abcdef0"},
                                                 {"InstanceType", "m4.xlarge"},
                                                 {"MinCount", count},
                                                 {"MaxCount", count}});
      reservation.push_back(answer.at("reservationId"));
      ids.push_back(answer.all("instancesSet/item/instanceId"));
    }
  }
  std::vector<std::string> reservation;
  std::vector<Texts> ids;
};

constexpr const char* kIds = "reservationSet/item/instancesSet/item/instanceId";
constexpr const char* kReservations = "reservationSet/item/reservationId";

TEST(Ec2, InstancesOfOneLaunchAreAReservation) {
  TestBackend t;
  const Launches l(t);
  const auto all = t.ec2("DescribeInstances");
  EXPECT_EQ(all.all(kReservations).size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string item = "reservationSet/item[reservationId='" + l.reservation[i] + "']/";
    EXPECT_EQ(all.all(item + "instancesSet/item/instanceId"), l.ids[i]);
    EXPECT_EQ(all.at(item + "ownerId"), "123456789012");
    const auto found = t.ec2("DescribeInstances", {{"Filter.1.Name", "reservation-id"},
                                                   {"Filter.1.Value.1", l.reservation[i]}});
    EXPECT_EQ(found.all(kIds), l.ids[i]);
  }
  EXPECT_EQ(all.all("reservationSet/item[reservationId='" + l.reservation[1] +
                    "']/instancesSet/item/amiLaunchIndex"),
            (Texts{"0", "1", "2"}));
  EXPECT_EQ(
      t.ec2("DescribeInstances", {{"Filter.1.Name", "launch-index"}, {"Filter.1.Value.1", "6"}})
          .all(kIds),
      (Texts{l.ids[0][6]}));
  EXPECT_EQ(t.ec2("DescribeInstances", {{"Filter.1.Name", "owner-id"}, {"Filter.1.Value.1", "1*"}})
                .all(kIds)
                .size(),
            11U);
}

TEST(Ec2, PagesOfInstancesCountInstances) {
  TestBackend t;
  const Launches l(t);
  Texts ids, reservations;
  std::vector<std::size_t> sizes;
  std::string token;
  do {
    Fields fields{{"MaxResults", "5"}};
    if (!token.empty()) fields.emplace_back("NextToken", token);
    const auto page = t.ec2("DescribeInstances", fields);
    for (const auto& id : page.all(kIds)) ids.push_back(id);
    for (const auto& r : page.all(kReservations))
      if (reservations.empty() || reservations.back() != r) reservations.push_back(r);
    sizes.push_back(page.all(kIds).size());
    token = page.at("nextToken");
  } while (!token.empty());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{5, 5, 1}));
  EXPECT_EQ(reservations.size(), 3U) << "a reservation goes on where the page before ended";
  EXPECT_EQ(ids, t.ec2("DescribeInstances").all(kIds));
}

TEST(Ec2, TagsAreMadeListedAndTakenAway) {
  TestBackend t;
  const auto id = t.volume();
  t.ec2("CreateTags", {{"ResourceId.1", id},
                       {"Tag.1.Key", "a"},
                       {"Tag.1.Value", "1"},
                       {"Tag.2.Key", "b"},
                       {"Tag.2.Value", "2"}});
  EXPECT_EQ(t.ec2("DescribeTags", {{"Filter.1.Name", "tag:a"}, {"Filter.1.Value.1", "1"}})
                .at("tagSet/item/resourceType"),
            "volume");
  t.ec2("DeleteTags", {{"ResourceId.1", id}, {"Tag.1.Key", "a"}, {"Tag.1.Value", "other"}});
  EXPECT_EQ(t.ec2("DescribeTags").all("tagSet/item/key"), (Texts{"a", "b"}));
  t.ec2("DeleteTags", {{"ResourceId.1", id}, {"Tag.1.Key", "a"}});
  EXPECT_EQ(t.ec2("DescribeTags").all("tagSet/item/key"), (Texts{"b"}));
}

TEST(Ec2, SecurityGroupsHaveTheirNames) {
  TestBackend t;
  const auto plain = t.instance();
  const auto named = t.instance({{"SecurityGroup.1", "web"}});
  const auto by_id = t.instance({{"SecurityGroupId.1", "sg-0123456789abcdef0"}});
  const auto names = [&](const std::string& id) {
    return t.ec2("DescribeInstances", {{"InstanceId.1", id}})
        .all("reservationSet/item/instancesSet/item/groupSet/item/groupName");
  };
  EXPECT_EQ(names(plain), (Texts{"default"}));
  EXPECT_EQ(names(named), (Texts{"web"}));
  EXPECT_EQ(names(by_id), (Texts{"sg-0123456789abcdef0"})) << "a group that nobody created";
  EXPECT_EQ(t.ec2("DescribeInstances",
                  {{"Filter.1.Name", "instance.group-name"}, {"Filter.1.Value.1", "w*"}})
                .all("reservationSet/item/instancesSet/item/instanceId"),
            (Texts{named}));
}

TEST(Ec2, RequestIdsFollowTheSeed) {
  TestBackend a, b;
  EXPECT_EQ(a.ec2("DescribeVolumes").body(), b.ec2("DescribeVolumes").body());
}

TEST(Ec2, InstanceTypesZonesAndTheDefaultNetwork) {
  TestBackend t;
  EXPECT_EQ(t.ec2("DescribeInstanceTypes", {{"InstanceType.1", "p3.2xlarge"}})
                .at("instanceTypeSet/item/gpuInfo/gpus/item/name"),
            "V100");
  EXPECT_EQ(t.ec2("DescribeInstanceTypes", {{"InstanceType.1", "trn1.32xlarge"}})
                .at("instanceTypeSet/item/inferenceAcceleratorInfo/accelerators/item/count"),
            "16");
  EXPECT_EQ(t.ec2("DescribeInstanceTypes", {{"InstanceType.1", "g5g.xlarge"}})
                .at("instanceTypeSet/item/processorInfo/supportedArchitectures/item"),
            "arm64");
  EXPECT_EQ(t.ec2("DescribeAvailabilityZones").all("availabilityZoneInfo/item/zoneName"),
            (Texts{"us-west-2a", "us-west-2b", "us-west-2c"}));
  EXPECT_EQ(t.ec2("DescribeRegions").at("regionInfo/item/regionName"), "us-west-2");
  const auto vpc = t.ec2("DescribeVpcs").at("vpcSet/item/vpcId");
  const auto subnets = t.ec2("DescribeSubnets", {{"Filter.1.Name", "availability-zone"},
                                                 {"Filter.1.Value.1", "us-west-2b"}});
  EXPECT_EQ(subnets.at("subnetSet/item/vpcId"), vpc);
  EXPECT_EQ(t.ec2("DescribeSecurityGroups").at("securityGroupInfo/item/vpcId"), vpc);
  const auto id = t.instance();
  EXPECT_EQ(t.ec2("DescribeInstances").at("reservationSet/item/instancesSet/item/subnetId"),
            subnets.at("subnetSet/item/subnetId"));
}

}  // namespace
}  // namespace fakes
