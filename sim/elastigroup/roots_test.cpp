// Stateful instances whose root volume is kept.
#include "sim/elastigroup/world_for_test.h"

namespace sim::elastigroup {
namespace {

GroupSpec with_root() {
  GroupSpec spec = GroupWorld::spec();
  spec.persistence = {.root_device = true};
  return spec;
}

struct RootWorld : GroupWorld {
  const cloud::Volume& root() {
    for (const VolumeId& id : cloud.attached_to(member().instance))
      if (cloud.volume(id).root) return cloud.volume(id);
    throw std::runtime_error("no root");
  }
  template <class Map>
  static int shown(const Map& map) {
    int count = 0;
    for (const auto& [id, one] : map) count += is_shown(one);
    return count;
  }
};

TEST(PersistedRoot, TheReplacementBootsFromAnImageThatIsMadeAfterTheFormerInstancesEnd) {
  RootWorld w;
  const Member& member = w.launched(with_root());
  const InstanceId first = member.instance;
  const VolumeId root = w.root().id;
  ASSERT_EQ(member.devices.size(), 1u);
  EXPECT_EQ(member.devices[0].volume, root);
  w.market.set_capacity(cloud::kB, 0);
  w.cloud.interrupt(first, Notice::kGiven, "no-capacity");
  w.run(2min);
  EXPECT_TRUE(member.instance.empty());
  w.run(5min);
  EXPECT_EQ(member.state, StatefulState::kActive);
  EXPECT_EQ(member.zone, "us-west-2a");  // an image is in all zones
  const cloud::Snapshot& copy = w.cloud.snapshot(w.root().snapshot);
  EXPECT_EQ(copy.volume, root);
  EXPECT_GE(copy.started_at, w.cloud.instance(first).terminated_at.value());
  EXPECT_EQ(w.cloud.volume(root).state, cloud::VolumeState::kDeleted);
  EXPECT_EQ(w.instance().spec.image_id, member.devices[0].image.value);
  EXPECT_EQ(w.root().base_image, "ami-1");
}

TEST(PersistedRoot, OnlyTheLatestSnapshotIsKept) {
  RootWorld w;
  const Member& member = w.launched(with_root());
  w.run(16min);  // three backups
  EXPECT_EQ(RootWorld::shown(w.cloud.snapshots()), 1);
  for (int i = 0; i < 3; ++i) {
    w.cloud.interrupt(member.instance, Notice::kGiven, "no-capacity");
    w.run(12min);
    EXPECT_EQ(member.state, StatefulState::kActive);
    EXPECT_EQ(RootWorld::shown(w.cloud.snapshots()), 1);
    EXPECT_LE(RootWorld::shown(w.cloud.images()), 1);
  }
}

TEST(PersistedRoot, ABackupStandsInForARootThatIsLost) {
  RootWorld w;
  const Member& member = w.launched(with_root());
  w.run(7min);
  const cloud::SnapshotId backup = member.devices.at(0).snapshot;
  ASSERT_FALSE(backup.empty());
  w.cloud.set_delete_on_termination(member.instance, "/dev/sda1", true);  // by the user
  w.cloud.interrupt(member.instance, Notice::kGiven, "no-capacity");
  w.run(10min);
  EXPECT_EQ(w.root().snapshot, backup);
}

TEST(PersistedRoot, APausedInstanceGoesOnFromItsRoot) {
  RootWorld w;
  const Member& member = w.launched(with_root());
  const VolumeId root = w.root().id;
  w.service.pause(w.group, member.id);
  w.run(5min);
  EXPECT_EQ(member.state, StatefulState::kPaused);
  EXPECT_EQ(w.cloud.volume(root).state, cloud::VolumeState::kDeleted);
  w.service.resume(w.group, member.id);
  w.run(2min);
  EXPECT_EQ(w.cloud.snapshot(w.root().snapshot).volume, root);
}

TEST(PersistedRoot, DataVolumesOfReattachFollowWithTheRoot) {
  RootWorld w;
  GroupSpec spec = GroupWorld::stateful(BlockDevicesMode::kReattach);
  spec.persistence.root_device = true;
  const Member& member = w.launched(std::move(spec));
  ASSERT_EQ(member.devices.size(), 2u);
  VolumeId data;
  for (const Device& device : member.devices)
    if (!device.root) data = device.volume;
  w.cloud.interrupt(member.instance, Notice::kGiven, "no-capacity");
  w.run(10min);
  EXPECT_EQ(member.state, StatefulState::kActive);
  EXPECT_EQ(w.cloud.volume(data).attachment->instance, member.instance);
  EXPECT_FALSE(w.root().snapshot.empty());
}

// The vendor's guide, "Change the Image of Existing Stateful Nodes".
TEST(PersistedRoot, WithoutPersistenceTheNextInstanceHasTheGroupsImageAgain) {
  RootWorld w;
  const Member& member = w.launched(with_root());
  w.cloud.interrupt(member.instance, Notice::kGiven, "no-capacity");
  w.run(10min);
  GroupSpec other = with_root();
  other.persistence = {.private_ip = true};
  other.launch.image_id = "ami-2";
  w.service.update(w.group, other);
  w.service.recycle(w.group, member.id);
  w.run(10min);
  EXPECT_EQ(w.instance().spec.image_id, "ami-2");
  EXPECT_TRUE(w.root().snapshot.empty());
  EXPECT_EQ(RootWorld::shown(w.cloud.images()), 0);
}

TEST(PersistedRoot, DeallocationDeletesTheImageAndItsSnapshot) {
  RootWorld w;
  const Member& member = w.launched(with_root());
  w.cloud.interrupt(member.instance, Notice::kGiven, "no-capacity");
  w.run(10min);
  w.service.deallocate(w.group, member.id);
  w.run(10min);
  EXPECT_EQ(RootWorld::shown(w.cloud.images()), 0);
  EXPECT_EQ(RootWorld::shown(w.cloud.snapshots()), 0);
  EXPECT_FALSE(w.service.any_active());
}

}  // namespace
}  // namespace sim::elastigroup
