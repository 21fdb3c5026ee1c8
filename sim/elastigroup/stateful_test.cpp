// Stateful instances: what becomes of their volumes and addresses.
#include "sim/elastigroup/world_for_test.h"

namespace sim::elastigroup {
namespace {

TEST(Reattach, TheVolumeFollowsOnceTheReplacementRunsAndTheFormerInstanceHasEnded) {
  GroupWorld w;
  const Member& member = w.launched(GroupWorld::stateful(BlockDevicesMode::kReattach));
  ASSERT_EQ(member.devices.size(), 1u);
  const VolumeId volume = member.devices[0].volume;
  EXPECT_EQ(member.state, StatefulState::kActive);
  const InstanceId first = member.instance;
  w.cloud.interrupt(first, Notice::kGiven, "no-capacity");
  w.run(60s);  // the replacement runs since 20 s after the notice
  EXPECT_EQ(w.instance().state, cloud::InstanceState::kRunning);
  EXPECT_EQ(w.cloud.volume(volume).attachment->instance, first);
  EXPECT_EQ(member.state, StatefulState::kRecycling);
  w.run(5min);
  EXPECT_EQ(w.cloud.volume(volume).attachment->instance, member.instance);
  EXPECT_EQ(w.cloud.volume(volume).attachment->device, "/dev/sdf");
  EXPECT_EQ(w.steps(), "RESUME RESUMING ACTIVE RECYCLE RECYCLING ACTIVE");
  w.end();
  EXPECT_EQ(w.cloud.volume(volume).state, cloud::VolumeState::kDeleted);
}

TEST(Reattach, TheReplacementStaysInTheVolumesZone) {
  GroupWorld w;
  const Member& member = w.launched(GroupWorld::stateful(BlockDevicesMode::kReattach));
  EXPECT_EQ(member.zone, "us-west-2b");
  w.market.set_capacity(cloud::kB, 0);
  w.cloud.interrupt(member.instance, Notice::kGiven, "no-capacity");
  w.run(10min);
  EXPECT_TRUE(member.instance.empty());  // 2a has capacity
  w.market.set_capacity(cloud::kB, 1);
  w.run(5min);
  EXPECT_EQ(member.zone, "us-west-2b");
  EXPECT_EQ(member.state, StatefulState::kActive);
}

TEST(Reattach, AVolumeThatTheUserAttachesIsPersistedUntilTheUserDetachesIt) {
  GroupWorld w;
  GroupSpec spec = GroupWorld::stateful(BlockDevicesMode::kReattach);
  spec.launch.block_devices.clear();
  const Member& member = w.launched(std::move(spec));
  EXPECT_TRUE(member.devices.empty());
  const VolumeId volume = w.volume();
  w.cloud.attach_volume(volume, member.instance, "/dev/sdg");
  w.run(10s);
  ASSERT_EQ(member.devices.size(), 1u);
  w.cloud.interrupt(member.instance, Notice::kGiven, "no-capacity");
  w.run(10min);
  EXPECT_EQ(w.cloud.volume(volume).attachment->instance, member.instance);
  w.cloud.detach_volume(volume, {}, false);
  w.run(1min);
  EXPECT_TRUE(member.devices.empty());
}

TEST(Reattach, AVolumeThatIsLostLeavesTheStatefulInstanceInError) {
  GroupWorld w;
  const Member& member = w.launched(GroupWorld::stateful(BlockDevicesMode::kReattach));
  w.cloud.lose_volumes(member.instance);
  w.cloud.interrupt(member.instance, Notice::kGiven, "no-capacity");
  w.run(10min);
  EXPECT_EQ(member.state, StatefulState::kError);
  w.end();
}

TEST(OnLaunch, TheReplacementHasTheLatestSnapshotInAnyZone) {
  GroupWorld w;
  const Member& member = w.launched(GroupWorld::stateful(BlockDevicesMode::kOnLaunch));
  const VolumeId first = member.devices.at(0).volume;
  w.cloud.create_tags({first.value}, {{"Name", "data"}});
  w.run(11min);  // two backups at five minutes and ten
  const cloud::SnapshotId latest = member.devices.at(0).snapshot;
  ASSERT_FALSE(latest.empty());
  w.market.set_capacity(cloud::kB, 0);
  w.cloud.interrupt(member.instance, Notice::kGiven, "no-capacity");
  w.run(1min);
  EXPECT_EQ(member.zone, "us-west-2a");
  EXPECT_EQ(member.state, StatefulState::kActive);  // before the former instance has ended
  const VolumeId second = member.devices.at(0).volume;
  EXPECT_EQ(w.cloud.volume(second).snapshot, latest);
  EXPECT_EQ(w.cloud.volume(second).size_gib, 100);
  EXPECT_EQ(w.cloud.volume(second).tags.at("Name"), "data");
  w.run(5min);
  EXPECT_EQ(w.cloud.volume(first).state, cloud::VolumeState::kDeleted);
  // Only the latest snapshot of each volume is kept.
  int kept = 0;
  for (const auto& [id, snapshot] : w.cloud.snapshots()) kept += is_shown(snapshot);
  EXPECT_EQ(kept, 1);
  w.end();
}

TEST(OnLaunch, WithoutASnapshotTheLaunchWaitsForACopyMadeAfterTheEnd) {
  GroupWorld w;
  const Member& member = w.launched(GroupWorld::stateful(BlockDevicesMode::kOnLaunch));
  const VolumeId first = member.devices.at(0).volume;
  w.cloud.interrupt(member.instance, Notice::kGiven, "no-capacity");
  w.run(1min);
  EXPECT_TRUE(member.instance.empty());
  w.run(5min);
  EXPECT_EQ(member.state, StatefulState::kActive);
  const cloud::Volume& second = w.cloud.volume(member.devices.at(0).volume);
  EXPECT_EQ(w.cloud.snapshot(second.snapshot).volume, first);
  w.end();
}

TEST(PrivateIp, ItIsKeptByLaunchingAfterTheFormerInstancesEnd) {
  GroupWorld w;
  GroupSpec spec = GroupWorld::spec();
  spec.persistence.private_ip = true;
  const Member& member = w.launched(std::move(spec));
  const InstanceId first = member.instance;
  const std::string address = w.instance().private_ip;
  w.cloud.interrupt(first, Notice::kGiven, "no-capacity");
  w.run(2min);
  EXPECT_TRUE(member.instance.empty());
  w.run(3min);
  EXPECT_EQ(w.instance().private_ip, address);
  EXPECT_NE(w.instance().id, first);
}

TEST(StatefulActions, APausedInstanceKeepsItsVolumeAndComesBackWithIt) {
  for (const auto mode : {BlockDevicesMode::kReattach, BlockDevicesMode::kOnLaunch}) {
    GroupWorld w;
    const Member& member = w.launched(GroupWorld::stateful(mode));
    const InstanceId first = member.instance;
    w.service.pause(w.group, member.id);
    EXPECT_EQ(member.state, StatefulState::kPause);
    w.run(10min);
    EXPECT_EQ(member.state, StatefulState::kPaused);
    EXPECT_EQ(w.cloud.instances().size(), 1u);
    EXPECT_FALSE(w.service.any_active());
    EXPECT_EQ(w.refusal([&] { w.service.pause(w.group, member.id); }), "INVALID_STATEFUL_STATE");
    w.service.resume(w.group, member.id);
    w.run(3min);
    EXPECT_EQ(member.state, StatefulState::kActive);
    EXPECT_NE(member.instance, first);
    ASSERT_EQ(member.devices.size(), 1u);
    EXPECT_EQ(w.cloud.volume(member.devices[0].volume).attachment->instance, member.instance);
    EXPECT_EQ(w.steps(), "RESUME RESUMING ACTIVE PAUSE PAUSING PAUSED RESUME RESUMING ACTIVE");
    w.end();
  }
}

TEST(StatefulActions, ARecycledInstanceEndsBeforeTheNextOneIsLaunched) {
  for (const auto mode : {BlockDevicesMode::kReattach, BlockDevicesMode::kOnLaunch}) {
    GroupWorld w;
    const Member& member = w.launched(GroupWorld::stateful(mode));
    const InstanceId first = member.instance;
    w.service.recycle(w.group, member.id);
    w.run(20s);
    EXPECT_TRUE(member.instance.empty());
    w.run(5min);
    EXPECT_EQ(member.state, StatefulState::kActive);
    EXPECT_GE(w.instance().launched_at, *w.cloud.instance(first).terminated_at);
    w.end();
  }
}

TEST(StatefulActions, ADeallocatedInstanceLeavesNothing) {
  GroupWorld w;
  const Member& member = w.launched(GroupWorld::stateful(BlockDevicesMode::kOnLaunch));
  const std::string id = member.id;
  w.run(6min);
  w.service.deallocate(w.group, id);
  w.run(5min);
  EXPECT_EQ(w.refusal([&] { w.service.resume(w.group, id); }), "STATEFUL_INSTANCE_DOESNT_EXIST");
  for (const auto& [volume_id, volume] : w.cloud.volumes())
    EXPECT_FALSE(is_shown(volume)) << volume_id.value;
  for (const auto& [snapshot_id, snapshot] : w.cloud.snapshots())
    EXPECT_FALSE(is_shown(snapshot)) << snapshot_id.value;
  EXPECT_FALSE(w.service.any_active());
}

TEST(StatefulActions, ALowerTargetPausesAndAHigherOneResumes) {
  GroupWorld w;
  GroupSpec spec = GroupWorld::stateful(BlockDevicesMode::kReattach);
  const std::string id = w.launched(spec).id;
  spec.capacity.target = 0;
  w.service.update(w.group, spec);
  w.run(5min);
  EXPECT_EQ(w.member().state, StatefulState::kPaused);
  spec.capacity.target = 1;
  w.service.update(w.group, spec);
  w.run(5min);
  EXPECT_EQ(w.member().id, id);
  EXPECT_EQ(w.member().state, StatefulState::kActive);
}

TEST(StatefulActions, AnInterruptionAtTheSameInstantIsNoSecondRecycling) {
  GroupWorld w;
  const Member& member = w.launched(GroupWorld::stateful(BlockDevicesMode::kReattach));
  w.service.recycle(w.group, member.id);
  w.cloud.interrupt(member.instance, Notice::kGiven, "no-capacity");
  w.run(5min);
  EXPECT_EQ(w.steps(), "RESUME RESUMING ACTIVE RECYCLE RECYCLING ACTIVE");
  w.end();
}

TEST(StatefulActions, APausedInstanceThatIsToReattachBeginsWithItsSnapshot) {
  GroupWorld w;
  GroupSpec spec = GroupWorld::stateful(BlockDevicesMode::kOnLaunch);
  const Member& member = w.launched(spec);
  w.service.pause(w.group, member.id);
  w.run(5min);
  spec.persistence.mode = BlockDevicesMode::kReattach;
  spec.capacity.target = 1;
  w.service.update(w.group, spec);
  w.run(5min);
  EXPECT_EQ(member.state, StatefulState::kActive);
  EXPECT_FALSE(w.cloud.volume(member.devices.at(0).volume).snapshot.empty());
  w.end();
}

TEST(StatefulActions, AGroupsVolumesStayUnlessTheyAreToBeDeleted) {
  GroupWorld w;
  const VolumeId volume =
      w.launched(GroupWorld::stateful(BlockDevicesMode::kReattach)).devices.at(0).volume;
  w.service.remove(w.group, {});
  w.run(10min);
  EXPECT_EQ(w.cloud.volume(volume).state, cloud::VolumeState::kAvailable);
  EXPECT_FALSE(w.service.any_active());
}

}  // namespace
}  // namespace sim::elastigroup
