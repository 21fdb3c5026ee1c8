#include <gtest/gtest.h>

#include "sim/cloud/host.h"
#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

TEST(Volumes, AreCreatedAttachedDetachedAndDeleted) {
  CloudWorld w;
  const InstanceId instance = w.on_demand();
  const VolumeId id = w.cloud.create_volume({"us-west-2b", 100, "gp2", {}, {{"Name", "data"}}});
  EXPECT_EQ(w.cloud.volume(id).state, VolumeState::kCreating);
  w.run(5s);
  EXPECT_EQ(w.cloud.volume(id).state, VolumeState::kAvailable);

  EXPECT_EQ(w.cloud.attach_volume(id, instance, "/dev/sdf").state, AttachmentState::kAttaching);
  EXPECT_EQ(w.cloud.volume(id).state, VolumeState::kInUse);
  EXPECT_TRUE(w.host.plugged.empty());
  w.run(4s);
  EXPECT_EQ(w.cloud.volume(id).attachment->state, AttachmentState::kAttached);
  EXPECT_EQ(w.host.plugged.at(id), "/dev/sdf");

  EXPECT_EQ(w.cloud.detach_volume(id, {}, false).state, AttachmentState::kDetaching);
  w.run(3s);
  EXPECT_EQ(w.cloud.volume(id).state, VolumeState::kAvailable);
  EXPECT_FALSE(w.cloud.volume(id).attachment.has_value());

  w.cloud.delete_volume(id);
  EXPECT_EQ(w.cloud.volume(id).state, VolumeState::kDeleting);
  w.run(10s);
  EXPECT_EQ(w.path("volume.state", id.value),
            "creating available in-use available deleting deleted");
  EXPECT_EQ(w.path("attachment.state", id.value), "attaching attached detaching detached");
  EXPECT_EQ(w.refusal([&] { w.cloud.delete_volume(id); }), "InvalidVolume.NotFound");
  EXPECT_EQ(w.cloud.volume(id).deleted_at, w.simulation.now());
  EXPECT_FALSE(w.cloud.shows(w.cloud.volume(id)));
  EXPECT_EQ(w.refusal([&] { w.cloud.shown(id); }), "InvalidVolume.NotFound");
}

TEST(Volumes, AreFoundByTheirInstanceFromAttachingToDetached) {
  CloudWorld w;
  const InstanceId instance = w.on_demand();
  const VolumeId id = w.volume();
  w.run(5min);
  const auto only_root = w.cloud.attached_to(instance);
  auto both = only_root;
  both.insert(id);
  EXPECT_EQ(only_root.size(), 1U);
  w.cloud.attach_volume(id, instance, "/dev/sdf");
  EXPECT_EQ(w.cloud.attached_to(instance), both);
  w.run(5min);
  w.cloud.detach_volume(id, {}, false);
  EXPECT_EQ(w.cloud.attached_to(instance), both);
  w.run(5min);
  EXPECT_EQ(w.cloud.attached_to(instance), only_root);
  w.cloud.attach_volume(id, instance, "/dev/sdf");
  w.cloud.terminate_instances({instance});
  w.run(10min);
  EXPECT_FALSE(w.cloud.volume(id).attachment);
  EXPECT_TRUE(w.cloud.attached_to(instance).empty());
}

TEST(Volumes, AttachOnlyInTheirZone) {
  CloudWorld w;
  const InstanceId instance = w.on_demand("us-west-2a");
  const VolumeId id = w.volume("us-west-2b");
  EXPECT_EQ(w.refusal([&] { w.cloud.attach_volume(id, instance, "/dev/sdf"); }),
            "InvalidVolume.ZoneMismatch");
}

TEST(Volumes, AttachToOneInstanceAtATimeUnderAFreeDevice) {
  CloudWorld w;
  const InstanceId instance = w.on_demand(), other = w.on_demand();
  const VolumeId id = w.volume(), second = w.volume();
  w.cloud.attach_volume(id, instance, "/dev/sdf");
  const auto refused = [&](const VolumeId& volume, const char* device) {
    return w.refusal([&] { w.cloud.attach_volume(volume, instance, device); });
  };
  EXPECT_EQ(w.refusal([&] { w.cloud.attach_volume(id, other, "/dev/sdf"); }), "VolumeInUse");
  EXPECT_EQ(refused(second, "/dev/sdf"), "InvalidParameterValue");
  // The same device for the guest.
  EXPECT_EQ(refused(second, "/dev/xvdf"), "InvalidParameterValue");
  EXPECT_EQ(refused(second, "/dev/sda1"), "InvalidParameterValue");  // the root volume
  EXPECT_EQ(refused(second, "/dev/disk0"), "InvalidParameterValue");
  EXPECT_EQ(refused(second, "/dev/sdg"), "");
}

TEST(Volumes, AttachOnlyWhenAvailableToARunningInstance) {
  CloudWorld w;
  const VolumeId creating = w.cloud.create_volume({"us-west-2b", 1, "gp2", {}, {}});
  const InstanceId instance = w.on_demand("us-west-2b", 0);
  const auto refused = [&] {
    return w.refusal([&] { w.cloud.attach_volume(creating, instance, "/dev/sdf"); });
  };
  EXPECT_EQ(refused(), "IncorrectState");  // creating
  w.run(10s);
  EXPECT_EQ(refused(), "IncorrectState");  // pending
  w.run(60s);
  EXPECT_EQ(refused(), "");
}

TEST(Volumes, AttachedBeforeTheMachineIsUpArePluggedWhenItBoots) {
  CloudWorld w;
  const VolumeId id = w.volume();
  const InstanceId instance = w.on_demand("us-west-2b", 20);  // running, boots in 30 s
  w.cloud.attach_volume(id, instance, "/dev/sdf");
  w.run(10s);
  EXPECT_EQ(w.cloud.volume(id).attachment->state, AttachmentState::kAttached);
  EXPECT_TRUE(w.host.plugged.empty());
  w.run(20s);
  EXPECT_TRUE(w.host.plugged.contains(id));
}

TEST(Volumes, ThatAreMountedStayBusyUntilReleased) {
  CloudWorld w;
  const InstanceId instance = w.on_demand();
  const VolumeId id = w.volume();
  w.cloud.attach_volume(id, instance, "/dev/sdf");
  w.run(10s);
  w.host.mounted = true;
  w.cloud.detach_volume(id, instance, false);
  w.run(1h);
  EXPECT_EQ(w.cloud.volume(id).state, VolumeState::kInUse);
  EXPECT_EQ(w.cloud.volume(id).attachment->state, AttachmentState::kBusy);
  EXPECT_EQ(w.refusal([&] { w.cloud.detach_volume(id, {}, false); }), "IncorrectState");
  w.host.release();
  w.run(0s);
  EXPECT_EQ(w.cloud.volume(id).state, VolumeState::kAvailable);
}

TEST(Volumes, ThatAreBusyCanBeForcedOut) {
  CloudWorld w;
  const InstanceId instance = w.on_demand();
  const VolumeId id = w.volume();
  w.cloud.attach_volume(id, instance, "/dev/sdf");
  w.run(10s);
  w.host.mounted = true;
  w.cloud.detach_volume(id, {}, false);
  w.run(1h);
  w.cloud.detach_volume(id, {}, true);
  w.run(0s);
  EXPECT_EQ(w.cloud.volume(id).state, VolumeState::kAvailable);
}

TEST(Volumes, AreNotDetachedByALateAnswerToAnEarlierDetach) {
  CloudWorld w;
  const InstanceId instance = w.on_demand();
  const VolumeId id = w.volume();
  w.host.mounted = true;
  w.cloud.attach_volume(id, instance, "/dev/sdf");
  w.run(10s);
  w.cloud.detach_volume(id, {}, false);  // unanswered
  w.run(10s);
  w.cloud.detach_volume(id, {}, true);
  w.run(10s);
  w.cloud.attach_volume(id, instance, "/dev/sdf");
  w.run(10s);
  const auto late = std::exchange(w.host.held, {});
  w.cloud.detach_volume(id, {}, false);
  late.at(0)();
  w.run(1h);
  EXPECT_EQ(w.cloud.volume(id).attachment->state, AttachmentState::kBusy);
}

TEST(Volumes, AreDetachedWhenTheirInstanceIsTerminated) {
  CloudWorld w;
  const InstanceId instance = w.on_demand();
  const VolumeId attached = w.volume(), attaching = w.volume(), mounted = w.volume();
  w.cloud.attach_volume(attached, instance, "/dev/sdf");
  w.cloud.attach_volume(mounted, instance, "/dev/sdg");
  w.run(10s);
  w.host.mounted = true;
  w.cloud.detach_volume(mounted, {}, false);
  w.cloud.attach_volume(attaching, instance, "/dev/sdh");
  w.cloud.terminate_instances({instance});
  w.run(29s);
  EXPECT_EQ(w.cloud.volume(attached).state, VolumeState::kInUse);
  EXPECT_EQ(w.refusal([&] { w.cloud.delete_volume(attached); }), "VolumeInUse");
  w.run(1s);
  for (const VolumeId& id : {attached, attaching, mounted})
    EXPECT_EQ(w.cloud.volume(id).state, VolumeState::kAvailable);
  EXPECT_EQ(w.path("attachment.state", attaching.value), "attaching detaching detached");
  w.host.release();
  w.run(1h);
}

TEST(Volumes, DetachOnlyFromWhereTheyAre) {
  CloudWorld w;
  const InstanceId instance = w.on_demand(), other = w.on_demand();
  const VolumeId id = w.volume();
  EXPECT_EQ(w.refusal([&] { w.cloud.detach_volume(id, {}, false); }), "IncorrectState");
  w.cloud.attach_volume(id, instance, "/dev/sdf");
  EXPECT_EQ(w.refusal([&] { w.cloud.detach_volume(id, {}, false); }), "IncorrectState");
  w.run(10s);
  EXPECT_EQ(w.refusal([&] { w.cloud.detach_volume(id, other, false); }),
            "InvalidAttachment.NotFound");
  EXPECT_EQ(w.refusal([&] { w.cloud.detach_volume(id, {"i-0"}, false); }),
            "InvalidInstanceID.NotFound");
}

TEST(Volumes, AreNotDeletedWhileInUseOrNotThereYet) {
  CloudWorld w;
  const InstanceId instance = w.on_demand();
  const VolumeId id = w.cloud.create_volume({"us-west-2b", 1, "gp2", {}, {}});
  EXPECT_EQ(w.refusal([&] { w.cloud.delete_volume(id); }), "IncorrectState");
  w.run(5s);
  w.cloud.attach_volume(id, instance, "/dev/sdf");
  EXPECT_EQ(w.refusal([&] { w.cloud.delete_volume(id); }), "VolumeInUse");
  w.run(5s);
  w.cloud.detach_volume(id, {}, false);
  EXPECT_EQ(w.refusal([&] { w.cloud.delete_volume(id); }), "VolumeInUse");
  w.run(5s);
  w.cloud.delete_volume(id);
  EXPECT_EQ(w.refusal([&] { w.cloud.delete_volume(id); }), "IncorrectState");
}

TEST(Volumes, HaveTheirTypesBaselineIops) {
  CloudWorld w;
  const auto iops = [&](int gib, const char* type) {
    return w.cloud.volume(w.cloud.create_volume({"us-west-2a", gib, type, {}, {}})).iops;
  };
  EXPECT_EQ(iops(1, "gp2"), 100);
  EXPECT_EQ(iops(100, "gp2"), 300);
  EXPECT_EQ(iops(16384, "gp2"), 16000);
  EXPECT_EQ(iops(100, "gp3"), 3000);
}

TEST(Volumes, AreRefusedWithEc2sCodes) {
  CloudWorld w;
  const auto refused = [&](const char* zone, int gib, const char* type) {
    return w.refusal([&] { w.cloud.create_volume({zone, gib, type, {}, {}}); });
  };
  EXPECT_EQ(refused("us-west-2z", 1, "gp2"), "InvalidZone.NotFound");
  EXPECT_EQ(refused("us-west-2a", 0, "gp2"), "MissingParameter");
  EXPECT_EQ(refused("us-west-2a", -1, "gp2"), "InvalidParameterValue");
  EXPECT_EQ(refused("us-west-2a", 16385, "gp2"), "InvalidParameterValue");
  EXPECT_EQ(refused("us-west-2a", 1, "floppy"), "UnknownVolumeType");
}

TEST(Volumes, WithAnUnusableKeyAreGoneAfterAWhile) {
  CloudWorld w;
  const auto made = [&](const std::string& key) {
    return w.cloud.create_volume(
        {.availability_zone = "us-west-2a", .size_gib = 1, .encrypted = true, .kms_key_id = key});
  };
  const std::string own = "arn:aws:kms:us-west-2:123456789012:";
  const std::string id = "1234abcd-12ab-34cd-56ef-1234567890ab";
  for (const std::string& key :
       {std::string(""), id, "mrk-" + std::string(32, 'a'), std::string("alias/mine"),
        own + "key/" + id, "arn:aws:kms:us-west-2:999999999999:key/" + id, own + "alias/mine"}) {
    const VolumeId volume = made(key);
    w.run(1min);
    EXPECT_EQ(w.cloud.volume(volume).state, VolumeState::kAvailable) << key;
  }
  for (const std::string& key : {std::string("k"), id + "0", std::string("alias/"),
                                 "arn:aws:kms:us-east-1:123456789012:key/" + id, own + id,
                                 std::string("arn:aws:iam::123456789012:role/r")}) {
    const VolumeId volume = made(key);
    EXPECT_EQ(w.cloud.volume(volume).state, VolumeState::kCreating) << key;
    w.run(1min);
    EXPECT_EQ(w.cloud.volume(volume).state, VolumeState::kDeleted) << key;
    EXPECT_EQ(w.refusal([&] { w.cloud.shown(volume); }), "InvalidVolume.NotFound");
  }
}

TEST(Volumes, DeviceNamesBecomeTheGuests) {
  EXPECT_EQ(guest_device("/dev/sdf"), "/dev/xvdf");
  EXPECT_EQ(guest_device("xvdba"), "/dev/xvdba");
  EXPECT_EQ(guest_device("/dev/xvddz"), "/dev/xvddz");
  EXPECT_EQ(guest_device("sdf1"), "/dev/xvdf1");
  EXPECT_EQ(guest_device("xvdz15"), "/dev/xvdz15");
  for (const char* none :
       {"", "/dev/", "/dev/sd", "sdA", "sdba", "xvdea", "xvdbA", "xvdba1", "sdf0", "sdf01", "sdf16",
        "sdf1a", "sdf+1", "sdf4294967297", "/dev//sdf", "/dev/nvme0n1"})
    EXPECT_EQ(guest_device(none), std::nullopt) << none;
}

}  // namespace
}  // namespace sim::cloud
