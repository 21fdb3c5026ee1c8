#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

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

// The charges for snapshots, as GiB and hours, sorted.
std::vector<std::string> snapshot_charges(CloudWorld& w) {
  w.cloud.close_books();
  std::vector<std::string> all;
  for (const LineItem& item : w.cloud.ledger().items()) {
    if (item.kind != ChargeKind::kSnapshots) continue;
    const double hours = seconds(item.to - item.from) / 3600;
    all.push_back(fmt::format("{:.0f}x{:.0f}h", item.quantity * 730 / hours, hours));
  }
  std::ranges::sort(all);
  return all;
}

constexpr std::int64_t kGib = std::int64_t{1} << 30;

struct SharingSnapshots : CloudWorld {
  SnapshotId take(const VolumeId& volume, std::int64_t stored_gib, std::int64_t changed_gib) {
    host.stored_bytes = stored_gib * kGib;
    host.default_change = changed_gib * kGib;
    const SnapshotId id = cloud.create_snapshot(volume, "", {});
    run(1h);
    return id;
  }
};

TEST(SharingSnapshots, AreBilledForWhatChangedSinceThePreviousOne) {
  SharingSnapshots w;
  const VolumeId volume = w.volume();
  const SnapshotId first = w.take(volume, 10, 99);
  const SnapshotId second = w.take(volume, 12, 3);
  EXPECT_EQ(w.cloud.snapshot(second).stored_bytes, 12 * kGib);
  EXPECT_EQ(w.cloud.snapshot(second).billed_bytes, 3 * kGib);
  EXPECT_EQ(w.cloud.snapshot(second).previous, first);
  w.take(w.volume(), 5, 99);  // of another volume
  EXPECT_EQ(snapshot_charges(w), (std::vector<std::string>{"10x3h", "3x2h", "5x1h"}));
}

TEST(SharingSnapshots, TheNextOnePaysForTheBlocksThatItStillNeeds) {
  SharingSnapshots w;
  const VolumeId volume = w.volume();
  const SnapshotId first = w.take(volume, 10, 0), second = w.take(volume, 10, 2),
                   third = w.take(volume, 10, 3);
  w.host.changes[{first, third}] = 4 * kGib;
  w.cloud.delete_snapshot(second);
  w.run(1h);
  w.cloud.delete_snapshot(first);
  EXPECT_EQ(w.cloud.snapshot(third).billed_bytes, 10 * kGib);
  w.run(1h);
  EXPECT_EQ(snapshot_charges(w),
            (std::vector<std::string>{"10x1h", "10x4h", "2x2h", "3x1h", "4x1h"}));
}

TEST(SharingSnapshots, OfAVolumeShareWithItsSource) {
  SharingSnapshots w;
  const SnapshotId source = w.take(w.volume(), 10, 0);
  const VolumeId made = w.cloud.create_volume({"us-west-2a", 0, "gp2", source, {}});
  const VolumeId other = w.cloud.create_volume({"us-west-2a", 0, "gp2", source, {}});
  w.run(1min);
  const SnapshotId first = w.take(made, 10, 1), second = w.take(other, 10, 2);
  EXPECT_EQ(w.cloud.snapshot(first).previous, source);
  EXPECT_EQ(w.cloud.snapshot(second).previous, source);
  w.host.changes[{first, second}] = 3 * kGib;
  w.cloud.delete_snapshot(source);
  EXPECT_EQ(w.cloud.snapshot(first).billed_bytes, 10 * kGib) << "the shared blocks, once";
  EXPECT_EQ(w.cloud.snapshot(second).billed_bytes, 3 * kGib);
  const VolumeId late = w.cloud.create_volume({"us-west-2a", 0, "gp2", first, {}});
  w.run(1min);
  w.cloud.delete_snapshot(first);
  const SnapshotId last = w.take(late, 10, 7);
  EXPECT_EQ(w.cloud.snapshot(last).previous, second) << "it keeps the blocks of the deleted one";
  w.cloud.delete_snapshot(second);
  EXPECT_EQ(w.cloud.snapshot(last).previous, SnapshotId{}) << "nothing older exists";
}

TEST(SharingSnapshots, AreDeletedInAnyOrder) {
  SharingSnapshots w;
  const VolumeId volume = w.volume();
  const SnapshotId first = w.take(volume, 10, 0), second = w.take(volume, 10, 2);
  w.cloud.delete_snapshot(second);
  w.cloud.delete_snapshot(first);
  EXPECT_EQ(w.cloud.snapshot(w.take(volume, 10, 3)).previous, SnapshotId{});
}

TEST(SharingSnapshots, WithAnotherKeyShareNothing) {
  SharingSnapshots w;
  const SnapshotId source = w.take(w.volume(), 10, 0);
  const VolumeId made =
      w.cloud.create_volume({.availability_zone = "us-west-2a", .from = source, .encrypted = true});
  w.run(1min);
  EXPECT_EQ(w.cloud.snapshot(w.take(made, 10, 1)).billed_bytes, 10 * kGib);
}

TEST(CopiedSnapshots, StoreAllBlocksWithAnotherKey) {
  SharingSnapshots w;
  const VolumeId volume = w.volume();
  w.take(volume, 10, 0);
  const SnapshotId plain = w.take(volume, 10, 2);
  const auto copy = [&](const SnapshotId& from, const SnapshotCopy& asked) -> const Snapshot& {
    const SnapshotId id = w.cloud.copy_snapshot(w.cloud, from, asked);
    w.run(1h);
    return w.cloud.snapshot(id);
  };
  const std::string id = "1234abcd-12ab-34cd-56ef-1234567890ab";
  w.host.default_change = 0;
  const Snapshot& alike = copy(plain, {});
  EXPECT_FALSE(alike.encrypted);
  EXPECT_EQ(alike.billed_bytes, 0) << "a copy in the region with the same key";
  const Snapshot& encrypted = copy(plain, {.encrypted = true});
  EXPECT_TRUE(encrypted.encrypted);
  EXPECT_TRUE(encrypted.kms_key_id.starts_with("arn:aws:kms:us-west-2:"));
  EXPECT_EQ(encrypted.billed_bytes, 10 * kGib);
  EXPECT_EQ(copy(encrypted.id, {}).kms_key_id, encrypted.kms_key_id) << "stays encrypted";
  const Snapshot& other = copy(encrypted.id, {.encrypted = true, .kms_key_id = id});
  EXPECT_EQ(other.kms_key_id, "arn:aws:kms:us-west-2:123456789012:key/" + id);
  EXPECT_EQ(w.refusal([&] { copy(plain, {.kms_key_id = id}); }), "InvalidParameterDependency");
  EXPECT_EQ(w.refusal([&] { copy(plain, {.encrypted = true, .kms_key_id = "no key"}); }),
            "InvalidParameterValue");
}

}  // namespace
}  // namespace sim::cloud
