#include <gtest/gtest.h>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

constexpr std::int64_t kMib = 1 << 20;

TEST(Snapshots, TakeABaseTimeAndTheirDatasShare) {
  CloudWorld w;
  const VolumeId volume = w.volume();
  w.host.stored_bytes = 500 * kMib;  // 10 s at 50 MiB/s
  const SnapshotId id = w.cloud.create_snapshot(volume, "hop", {{"Name", "data"}});
  EXPECT_EQ(w.cloud.snapshot(id).duration, 50s);
  w.host.stored_bytes = 0;
  w.run(49s);
  EXPECT_EQ(w.cloud.snapshot(id).state, SnapshotState::kPending);
  w.run(1s);
  EXPECT_EQ(w.cloud.snapshot(id).state, SnapshotState::kCompleted);
  EXPECT_EQ(w.cloud.snapshot(id).stored_bytes, 500 * kMib);
  EXPECT_EQ(w.cloud.snapshot(id).completed_at, w.simulation.now());
}

TEST(Snapshots, BecomeVolumesOnlyWhenCompletedAndNotSmaller) {
  CloudWorld w;
  const SnapshotId id = w.cloud.create_snapshot(w.volume("us-west-2b", 100), "", {});
  const auto create = [&](int gib) {
    return w.refusal([&] { w.cloud.create_volume({"us-west-2a", gib, "gp2", id, {}}); });
  };
  EXPECT_EQ(create(100), "IncorrectState");
  w.run(40s);
  EXPECT_EQ(create(99), "InvalidParameterValue");
  EXPECT_EQ(create(200), "");
  const VolumeId volume = w.cloud.create_volume({"us-west-2a", 0, "gp2", id, {}});
  EXPECT_EQ(w.cloud.volume(volume).size_gib, 100);
  EXPECT_EQ(w.host.calls.back(), "create " + volume.value + " from " + id.value);
}

TEST(Snapshots, AreAtMostFivePendingAVolume) {
  CloudWorld w;
  const VolumeId volume = w.volume(), other = w.volume();
  for (int i = 0; i < 5; ++i) w.cloud.create_snapshot(volume, "", {});
  const auto sixth = [&] { return w.refusal([&] { w.cloud.create_snapshot(volume, "", {}); }); };
  EXPECT_EQ(sixth(), "ConcurrentSnapshotLimitExceeded");
  EXPECT_EQ(w.refusal([&] { w.cloud.create_snapshot(other, "", {}); }), "");
  w.run(40s);
  EXPECT_EQ(sixth(), "");
}

TEST(Snapshots, OutliveTheirVolume) {
  CloudWorld w;
  const VolumeId volume = w.volume();
  const SnapshotId id = w.cloud.create_snapshot(volume, "", {});
  w.cloud.delete_volume(volume);
  w.run(1min);
  EXPECT_EQ(w.cloud.snapshot(id).state, SnapshotState::kCompleted);
  EXPECT_EQ(w.refusal([&] { w.cloud.create_snapshot(volume, "", {}); }), "InvalidVolume.NotFound");
}

TEST(Snapshots, AreNotDeletedWhileAVolumeIsMadeOfThem) {
  CloudWorld w;
  const SnapshotId id = w.cloud.create_snapshot(w.volume(), "", {});
  w.run(1min);
  w.cloud.create_volume({"us-west-2a", 0, "gp2", id, {}});
  EXPECT_EQ(w.refusal([&] { w.cloud.delete_snapshot(id); }), "InvalidSnapshot.InUse");
  w.run(5s);
  EXPECT_TRUE(w.cloud.shows(w.cloud.shown(id)));
  w.cloud.delete_snapshot(id);
  EXPECT_EQ(w.host.calls.back(), "delete " + id.value);
  EXPECT_FALSE(w.cloud.shows(w.cloud.snapshot(id)));
  EXPECT_EQ(w.refusal([&] { w.cloud.shown(id); }), "InvalidSnapshot.NotFound");
  EXPECT_EQ(w.refusal([&] { w.cloud.delete_snapshot(id); }), "InvalidSnapshot.NotFound");
  EXPECT_EQ(w.refusal([&] {
    w.cloud.create_volume({"us-west-2a", 0, "gp2", id, {}});
  }),
            "InvalidSnapshot.NotFound");
}

TEST(Snapshots, DeletedWhilePendingNeverComplete) {
  CloudWorld w;
  const SnapshotId id = w.cloud.create_snapshot(w.volume(), "", {});
  w.cloud.delete_snapshot(id);
  w.run(1h);
  EXPECT_EQ(w.path("snapshot.state", id.value), "pending deleted");
}

TEST(Snapshots, OfVolumesThatAreNotReadyAreRefused) {
  CloudWorld w;
  const VolumeId id = w.cloud.create_volume({"us-west-2a", 1, "gp2", {}, {}});
  EXPECT_EQ(w.refusal([&] { w.cloud.create_snapshot(id, "", {}); }), "IncorrectState");
  EXPECT_EQ(w.refusal([&] { w.cloud.create_snapshot({"vol-0"}, "", {}); }),
            "InvalidVolume.NotFound");
}

}  // namespace
}  // namespace sim::cloud
