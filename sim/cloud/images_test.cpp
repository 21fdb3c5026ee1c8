// Images that the account makes: of instances, of snapshots, and as copies.
#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

struct ImageWorld : CloudWorld {
  // An image of a new instance's root, available.
  ImageId made(const std::string& name = "ours") {
    const ImageId id = cloud.create_image(on_demand(), {.name = name, .reboot = false});
    run(60s);
    return id;
  }
  InstanceId launch(const ImageId& image, std::vector<BlockDevice> devices = {}) {
    return cloud
        .run_instances({.image_id = image.value,
                        .instance_type = "m4.xlarge",
                        .availability_zone = "us-west-2a",
                        .block_devices = std::move(devices)},
                       1)
        .at(0);
  }
  const Volume& root_of(const InstanceId& id) {
    for (const VolumeId& volume : cloud.attached_to(id))
      if (cloud.volume(volume).root) return cloud.volume(volume);
    throw std::runtime_error("no root");
  }
  const OwnImage& image(const ImageId& id) { return cloud.images().at(id); }
};

TEST(Images, AnImageOfAnInstanceIsAvailableOnceItsSnapshotsAreCompleted) {
  ImageWorld w;
  w.host.stored_bytes = std::int64_t{500} << 20;  // 40 s and 10 s
  const InstanceId instance = w.on_demand();
  const VolumeId data = w.volume();
  w.cloud.attach_volume(data, instance, "/dev/sdf");
  w.run(10s);
  const ImageId id = w.cloud.create_image(
      instance,
      {.name = "ours", .tags = {{"a", "1"}}, .snapshot_tags = {{"b", "2"}}, .reboot = false});
  const OwnImage& image = w.image(id);
  ASSERT_EQ(image.devices.size(), 2U);
  EXPECT_EQ(image.devices[0].device, "/dev/sda1");
  EXPECT_EQ(image.devices[1].device, "/dev/sdf");
  EXPECT_EQ(image.devices[1].volume.size_gib, 100);
  EXPECT_FALSE(image.devices[1].delete_on_termination);
  EXPECT_EQ(w.cloud.snapshot(image.devices[1].volume.from).volume, data);
  EXPECT_EQ(w.cloud.snapshot(image.devices[1].volume.from).tags.at("b"), "2");
  w.run(49s);
  EXPECT_EQ(image.state, ImageState::kPending);
  w.run(1s);
  EXPECT_EQ(w.path("image.state", id.value), "pending available");
  w.cloud.deregister_image(id);
  EXPECT_EQ(w.path("image.state", id.value), "pending available deregistered");
}

TEST(Images, WithARebootTheVolumesAreCopiedWhenTheProgramsHaveEnded) {
  ImageWorld w;
  const InstanceId instance = w.on_demand();
  const ImageId id = w.cloud.create_image(instance, {.name = "ours"});
  EXPECT_EQ(w.host.calls.back(), "reboot " + instance.value);
  w.run(9s);
  EXPECT_TRUE(w.image(id).devices.empty());
  w.run(1s);  // FakeHost::shutdown_takes
  EXPECT_EQ(w.image(id).devices.size(), 1U);
  EXPECT_EQ(w.cloud.instance(instance).state, InstanceState::kRunning);
  w.run(40s);
  EXPECT_EQ(w.image(id).state, ImageState::kAvailable);
}

TEST(Images, AStoppedInstanceStaysStopped) {
  ImageWorld w;
  const InstanceId instance = w.on_demand();
  w.cloud.stop_instances({instance});
  EXPECT_EQ(w.refusal([&] { w.cloud.create_image(instance, {.name = "early"}); }),
            "IncorrectState");
  w.run(2min);
  const ImageId id = w.cloud.create_image(instance, {.name = "ours"});
  EXPECT_EQ(w.image(id).devices.size(), 1U);
  w.run(60s);
  EXPECT_EQ(w.image(id).state, ImageState::kAvailable);
  EXPECT_EQ(w.cloud.instance(instance).state, InstanceState::kStopped);
}

TEST(Images, AnInstanceThatEndsBeforeItsVolumesAreCopiedFailsTheImage) {
  ImageWorld w;
  const InstanceId instance = w.on_demand();
  const ImageId id = w.cloud.create_image(instance, {.name = "ours"});
  w.cloud.terminate_instances({instance});
  w.run(60s);
  EXPECT_EQ(w.path("image.state", id.value), "pending failed");
  EXPECT_EQ(w.refusal([&] { w.launch(id); }), "InvalidAMIID.Unavailable");
  EXPECT_EQ(w.refusal([&] { w.cloud.create_image(instance, {.name = "two"}); }), "IncorrectState");
}

TEST(Images, AFailedSnapshotFailsTheImage) {
  ImageWorld w;
  const ImageId id = w.cloud.create_image(w.on_demand(), {.name = "ours", .reboot = false});
  w.cloud.fail_snapshot(w.image(id).devices[0].volume.from);
  w.run(60s);
  EXPECT_EQ(w.image(id).state, ImageState::kFailed);
}

TEST(Images, AnInstanceIsLaunchedWithTheImagesVolumes) {
  ImageWorld w;
  const InstanceId first = w.on_demand();
  w.cloud.attach_volume(w.volume(), first, "/dev/sdf");
  w.run(10s);
  const ImageId id = w.cloud.create_image(first, {.name = "ours", .reboot = false});
  EXPECT_EQ(w.refusal([&] { w.launch(id); }), "InvalidAMIID.Unavailable");
  w.run(60s);
  const auto& devices = w.image(id).devices;
  const InstanceId second = w.launch(id, {{.device = "/dev/xvdf", .volume = {.size_gib = 200}}});
  EXPECT_EQ(w.root_of(second).snapshot, devices[0].volume.from);
  EXPECT_EQ(w.root_of(second).size_gib, 8);
  ASSERT_EQ(w.cloud.attached_to(second).size(), 2U);
  for (const VolumeId& volume : w.cloud.attached_to(second)) {
    if (w.cloud.volume(volume).root) continue;
    EXPECT_EQ(w.cloud.volume(volume).snapshot, devices[1].volume.from);
    EXPECT_EQ(w.cloud.volume(volume).size_gib, 200);
  }
  // An image of that instance has the same base image.
  w.run(60s);
  const ImageId next = w.cloud.create_image(second, {.name = "next", .reboot = false});
  EXPECT_EQ(w.image(next).base, w.cloud.instance(first).spec.image_id);
}

TEST(Images, ASnapshotOfARegisteredImageCannotBeDeleted) {
  ImageWorld w;
  const ImageId id = w.made();
  const SnapshotId snapshot = w.image(id).devices[0].volume.from;
  EXPECT_EQ(w.refusal([&] { w.cloud.delete_snapshot(snapshot); }), "InvalidSnapshot.InUse");
  w.cloud.deregister_image(id);
  w.cloud.delete_snapshot(snapshot);
  EXPECT_EQ(w.refusal([&] { w.launch(id); }), "InvalidAMIID.Unavailable");
  EXPECT_EQ(w.refusal([&] { w.cloud.deregister_image(id); }), "InvalidAMIID.Unavailable");
  EXPECT_EQ(w.refusal([&] { w.cloud.deregister_image({"ami-1"}); }), "InvalidAMIID.NotFound");
}

TEST(Images, ANameIsGoodForOneImage) {
  ImageWorld w;
  const ImageId id = w.made("ours");
  const auto refusal = [&](const std::string& name) {
    return w.refusal([&] { w.cloud.copy_image(id.value, {.name = name}); });
  };
  EXPECT_EQ(refusal("ours"), "InvalidAMIName.Duplicate");
  EXPECT_EQ(refusal("no"), "InvalidAMIName.Malformed");
  EXPECT_EQ(refusal("n#me"), "InvalidAMIName.Malformed");
  w.cloud.deregister_image(id);
  EXPECT_EQ(w.image(w.made("ours")).name, "ours");
}

TEST(Images, ARegisteredImageHasAnInstancesRoot) {
  ImageWorld w;
  const InstanceId instance = w.on_demand();
  const SnapshotId root = w.cloud.create_snapshot(w.root_of(instance).id, "", {});
  const SnapshotId data = w.cloud.create_snapshot(w.volume(), "", {});
  const auto registered = [&](const SnapshotId& from, const char* device = "/dev/sda1") {
    return w.cloud.register_image(
        {.name = "of snapshots", .devices = {{.device = device, .volume = {.from = from}}}});
  };
  EXPECT_EQ(w.refusal([&] { registered(root); }), "IncorrectState");  // pending
  w.run(60s);
  EXPECT_EQ(w.refusal([&] { registered(data); }), "UnsupportedOperation");
  EXPECT_EQ(w.refusal([&] { registered(root, "/dev/sdf"); }), "InvalidBlockDeviceMapping");
  EXPECT_EQ(
      w.refusal([&] { w.cloud.create_volume({.availability_zone = "us-west-2a", .from = root}); }),
      "UnsupportedOperation");
  const ImageId id = registered(root);
  EXPECT_EQ(w.image(id).state, ImageState::kAvailable);
  const auto other_root = [&] {
    w.launch(id, {{.device = "/dev/sda1", .volume = {.from = data}}});
  };
  EXPECT_EQ(w.refusal(other_root), "InvalidBlockDeviceMapping");
  const InstanceId second = w.launch(id, {{.device = "/dev/xvda", .volume = {.size_gib = 20}}});
  EXPECT_EQ(w.root_of(second).snapshot, root);
  EXPECT_EQ(w.root_of(second).size_gib, 20);
}

TEST(Images, ACopyHasSnapshotsOfItsOwn) {
  ImageWorld w;
  const ImageId id = w.made();
  const ImageId copy = w.cloud.copy_image(id.value, {.name = "copy"});
  const SnapshotId snapshot = w.image(copy).devices[0].volume.from;
  EXPECT_NE(snapshot, w.image(id).devices[0].volume.from);
  EXPECT_EQ(w.image(copy).state, ImageState::kPending);
  w.run(40s);
  EXPECT_EQ(w.image(copy).state, ImageState::kAvailable);
  w.cloud.deregister_image(id);
  w.cloud.delete_snapshot(w.image(id).devices[0].volume.from);
  EXPECT_EQ(w.root_of(w.launch(copy)).snapshot, snapshot);
  // A copy of a public image has no snapshot to copy.
  const ImageId of_public = w.cloud.copy_image("ami-1", {.name = "public"});
  w.run(1s);
  EXPECT_EQ(w.image(of_public).state, ImageState::kAvailable);
  EXPECT_EQ(w.root_of(w.launch(of_public)).base_image, "ami-1");
}

TEST(Images, ARootThatOutlivesItsInstanceCanBeCopied) {
  ImageWorld w;
  const InstanceId instance = w.on_demand();
  const VolumeId root = w.root_of(instance).id;
  w.cloud.set_delete_on_termination(instance, "/dev/sda1", false);
  w.cloud.terminate_instances({instance});
  w.run(60s);
  EXPECT_EQ(w.cloud.volume(root).state, VolumeState::kAvailable);
  EXPECT_EQ(w.cloud.snapshot(w.cloud.create_snapshot(root, "", {})).base_image,
            w.cloud.instance(instance).spec.image_id);
  w.cloud.delete_volume(root);
  EXPECT_EQ(w.of_kind("root-volume").size(), 2U);  // kept, deleted
}

}  // namespace
}  // namespace sim::cloud
