#include <gtest/gtest.h>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

LaunchSpec with_devices(std::vector<BlockDevice> devices) {
  return {.instance_type = "m4.xlarge",
          .availability_zone = "us-west-2b",
          .block_devices = std::move(devices)};
}

const Volume& root_of(const CloudWorld& w, const InstanceId& instance) {
  for (const VolumeId& id : w.cloud.attached_to(instance))
    if (w.cloud.volume(id).root) return w.cloud.volume(id);
  throw std::runtime_error("no root");
}

const Volume& volume_at(const CloudWorld& w, const InstanceId& instance, const char* device) {
  for (const VolumeId& id : w.cloud.attached_to(instance))
    if (w.cloud.volume(id).attachment->device == device) return w.cloud.volume(id);
  throw std::runtime_error("no volume");
}

TEST(LaunchVolumes, ARootIsShownCostsNothingAndIsInNoLog) {
  CloudWorld w;
  const InstanceId instance = w.on_demand();
  const Volume& root = root_of(w, instance);
  EXPECT_EQ(root.size_gib, 8);
  EXPECT_EQ(root.state, VolumeState::kInUse);
  EXPECT_EQ(root.attachment->device, "/dev/sda1");
  EXPECT_EQ(root.attachment->state, AttachmentState::kAttached);
  EXPECT_EQ(w.refusal([&] { w.cloud.detach_volume(root.id, {}, false); }), "OperationNotPermitted");
  EXPECT_EQ(w.refusal([&] { w.cloud.delete_volume(root.id); }), "VolumeInUse");
  w.cloud.terminate_instances({instance});
  w.run(10min);
  EXPECT_EQ(root.state, VolumeState::kDeleted);
  EXPECT_TRUE(w.cloud.attached_to(instance).empty());
  w.cloud.close_books();
  EXPECT_TRUE(w.of_kind("volume.state").empty());
  EXPECT_EQ(w.lines.find(root.id.value), std::string::npos);
  for (const LineItem& item : w.cloud.ledger().items())
    EXPECT_EQ(item.kind, ChargeKind::kInstances);
}

TEST(LaunchVolumes, ARootMayOutliveItsInstance) {
  CloudWorld w;
  const auto id = w.cloud.run_instances(
      with_devices(
          {{.device = "/dev/xvda", .volume = {.size_gib = 50}, .delete_on_termination = false}}),
      1)[0];
  const VolumeId root = root_of(w, id).id;
  EXPECT_EQ(w.cloud.volume(root).size_gib, 50);
  w.run(60s);
  w.cloud.terminate_instances({id});
  w.run(10min);
  EXPECT_EQ(w.cloud.volume(root).state, VolumeState::kAvailable);
  const InstanceId other = w.on_demand();
  EXPECT_EQ(w.refusal([&] { w.cloud.attach_volume(root, other, "/dev/sdf"); }),
            "UnsupportedOperation");
  w.cloud.delete_volume(root);
  EXPECT_EQ(w.cloud.volume(root).state, VolumeState::kDeleted);
}

TEST(LaunchVolumes, AnInstanceNamesNoVolumeAnew) {
  CloudWorld with, without;
  with.on_demand();
  EXPECT_EQ(with.volume(), without.volume());
}

TEST(LaunchVolumes, DevicesAreMadePluggedChargedAndDeletedWithTheInstance) {
  CloudWorld w;
  const auto id = w.cloud.run_instances(
      with_devices({{.device = "/dev/sdf", .volume = {.size_gib = 100, .encrypted = true}},
                    {.device = "/dev/sdg",
                     .volume = {.size_gib = 10, .type = "gp3"},
                     .delete_on_termination = false}}),
      1)[0];
  const VolumeId gone = volume_at(w, id, "/dev/sdf").id, kept = volume_at(w, id, "/dev/sdg").id;
  EXPECT_TRUE(w.cloud.volume(gone).encrypted);
  EXPECT_EQ(w.path("attachment.state", gone.value), "attaching");
  w.run(60s);
  EXPECT_EQ(w.host.plugged,
            (std::map<VolumeId, std::string>{{gone, "/dev/sdf"}, {kept, "/dev/sdg"}}));
  w.cloud.terminate_instances({id});
  w.run(10min);
  EXPECT_EQ(w.path("volume.state", gone.value),
            "creating available in-use available deleting deleted");
  EXPECT_EQ(w.path("volume.state", kept.value), "creating available in-use available");
  w.cloud.close_books();
  Usd volumes;
  for (const LineItem& item : w.cloud.ledger().items())
    if (item.kind == ChargeKind::kVolumes) volumes += item.cost;
  // 100 GiB from the launch to the end, which is 30 s after the termination; 10 GiB of gp3 all the
  // time.
  EXPECT_EQ(volumes, gb_month_charge(usd("0.1"), std::int64_t{100} << 30, 90s) +
                         gb_month_charge(usd("0.08"), std::int64_t{10} << 30, 11min));
}

TEST(LaunchVolumes, GoWithAnInstanceThatNeverRan) {
  CloudWorld w;
  const auto id = w.cloud.run_instances(
      with_devices({{.device = "/dev/sdf", .volume = {.size_gib = 1}}}), 1)[0];
  const VolumeId volume = volume_at(w, id, "/dev/sdf").id;
  w.run(5s);
  w.cloud.terminate_instances({id});
  w.run(10min);
  EXPECT_EQ(w.cloud.volume(volume).state, VolumeState::kDeleted);
  EXPECT_TRUE(w.host.plugged.empty());
}

TEST(LaunchVolumes, AreRefusedWithEc2sCodes) {
  CloudWorld w;
  const auto refused = [&](std::vector<BlockDevice> devices) {
    return w.refusal([&] { w.cloud.run_instances(with_devices(std::move(devices)), 1); });
  };
  const VolumeSpec one{.size_gib = 1};
  EXPECT_EQ(refused({{.device = "floppy", .volume = one}}), "InvalidBlockDeviceMapping");
  EXPECT_EQ(refused({{.device = "/dev/sdf", .volume = one}, {.device = "xvdf", .volume = one}}),
            "InvalidBlockDeviceMapping");
  EXPECT_EQ(refused({{.device = "/dev/sdf"}}), "MissingParameter");
  EXPECT_EQ(refused({{.device = "/dev/sdf", .volume = {.from = {"snap-12345678"}}}}),
            "InvalidSnapshot.NotFound");
  EXPECT_TRUE(w.cloud.instances().empty());
}

TEST(LaunchVolumes, ARequestWhoseSnapshotIsDeletedFails) {
  CloudWorld w;
  const VolumeId volume = w.volume();
  const SnapshotId snapshot = w.cloud.create_snapshot(volume, "", {});
  w.run(10min);
  LaunchSpec spec = with_devices({{.device = "/dev/sdf", .volume = {.from = snapshot}}});
  spec.instance_type = "p3.2xlarge";
  const SpotRequestId request = w.cloud.request_spot_instances(spec, 1, "one-time")[0];
  w.cloud.delete_snapshot(snapshot);
  w.run(60s);
  EXPECT_EQ(w.request(request).state, SpotRequestState::kFailed);
  EXPECT_EQ(w.request(request).status_code, "bad-parameters");
}

TEST(LaunchVolumes, DeletionOnTerminationMayBeChanged) {
  CloudWorld w;
  const InstanceId instance = w.on_demand();
  const VolumeId root = root_of(w, instance).id;
  const auto revision = w.cloud.volume(root).revision;
  w.cloud.set_delete_on_termination(instance, "/dev/sda1", false);
  EXPECT_FALSE(w.cloud.volume(root).attachment->delete_on_termination);
  EXPECT_NE(w.cloud.volume(root).revision, revision);
  EXPECT_EQ(w.refusal([&] { w.cloud.set_delete_on_termination(instance, "/dev/sdz", false); }),
            "InvalidInstanceAttributeValue");
}

TEST(TerminationProtection, HoldsForTheApiAlone) {
  CloudWorld w;
  const InstanceId free = w.on_demand();
  LaunchSpec spec = with_devices({});
  spec.disable_api_termination = true;
  const InstanceId held = w.cloud.run_instances(spec, 1)[0];
  EXPECT_EQ(w.refusal([&] { w.cloud.terminate_instances({free, held}); }), "OperationNotPermitted");
  EXPECT_FALSE(w.cloud.instance(free).shutting_down_at);
  w.run(60s);
  w.cloud.guest_powered_off(held);
  EXPECT_TRUE(w.cloud.instance(held).shutting_down_at);
  w.cloud.set_disable_api_termination(free, true);
  EXPECT_EQ(w.refusal([&] { w.cloud.terminate_instances({free}); }), "OperationNotPermitted");
  w.cloud.set_disable_api_termination(free, false);
  w.cloud.terminate_instances({free});
  spec.instance_type = "p3.2xlarge";
  EXPECT_EQ(w.refusal([&] { w.cloud.run_spot_instances(spec, 1, 1); }),
            "InvalidParameterCombination");
}

TEST(EncryptedVolumes, HaveAKeyAndPassItOn) {
  CloudWorld w;
  const auto make = [&](VolumeSpec spec) -> const Volume& {
    spec.availability_zone = "us-west-2a";
    return w.cloud.volume(w.cloud.create_volume(spec));
  };
  EXPECT_EQ(w.refusal([&] { make({.size_gib = 1, .kms_key_id = "k"}); }),
            "InvalidParameterDependency");
  const Volume& own = make({.size_gib = 1, .encrypted = true});
  EXPECT_TRUE(own.kms_key_id.starts_with("arn:aws:kms:us-west-2:123456789012:key/"));
  EXPECT_EQ(make({.size_gib = 1, .encrypted = true}).kms_key_id, own.kms_key_id);
  const std::string id = "1234abcd-12ab-34cd-56ef-1234567890ab";
  const Volume& other = make({.size_gib = 1, .encrypted = true, .kms_key_id = id});
  EXPECT_EQ(other.kms_key_id, "arn:aws:kms:us-west-2:123456789012:key/" + id);
  EXPECT_EQ(make({.size_gib = 1}).kms_key_id, "");
  w.run(60s);
  const SnapshotId snapshot = w.cloud.create_snapshot(other.id, "", {});
  EXPECT_TRUE(w.cloud.snapshot(snapshot).encrypted);
  w.run(10min);
  const Volume& copy = make({.from = snapshot});
  EXPECT_TRUE(copy.encrypted);
  EXPECT_EQ(copy.kms_key_id, other.kms_key_id);
}

TEST(LaunchVolumes, AnUnusableKeyEndsTheLaunch) {
  CloudWorld w;
  const auto id = w.cloud.run_instances(
      {.image_id = "ami-1",
       .instance_type = "p3.2xlarge",
       .availability_zone = "us-west-2b",
       .block_devices = {{.device = "/dev/sda1",
                          .volume = {.size_gib = 8, .encrypted = true, .kms_key_id = "gone"}}}},
      1)[0];
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kPending);
  w.run(5min);
  EXPECT_EQ(w.path("instance.state", id.value), "pending shutting-down terminated");
  EXPECT_EQ(w.cloud.instance(id).state_reason_code, "Client.InvalidKMSKey.InvalidState");
  EXPECT_EQ(w.cloud.instance(id).state_reason_message,
            "Client.InvalidKMSKey.InvalidState: The KMS key provided is in an incorrect state");
  EXPECT_EQ(w.cloud.cost_so_far(), Usd{});
}

TEST(LaunchTemplates, HaveVersions) {
  CloudWorld w;
  const auto id = w.cloud.create_launch_template("job", {.image_id = "ami-1"}, {});
  const auto image = [&](const char* version) {
    return w.cloud.launch_template_version(id, version).data.image_id;
  };
  EXPECT_EQ(w.cloud.create_launch_template_version(id, {.image_id = "ami-2"}, "", "new"), 2);
  EXPECT_EQ(image("$Default"), "ami-1");
  EXPECT_EQ(image("$Latest"), "ami-2");
  EXPECT_EQ(w.refusal([&] { w.cloud.delete_launch_template_version(id, "1"); }),
            "OperationNotPermitted");
  w.cloud.set_default_version(id, "2");
  w.cloud.delete_launch_template_version(id, "1");
  EXPECT_EQ(image("$Default"), "ami-2");
  for (const char* none : {"1", "3", "", "two", "2x", "$latest"})
    EXPECT_EQ(w.refusal([&] { image(none); }), "InvalidLaunchTemplateId.VersionNotFound") << none;
  EXPECT_EQ(w.cloud.create_launch_template_version(id, {}, "", ""), 3);
}

}  // namespace
}  // namespace sim::cloud
