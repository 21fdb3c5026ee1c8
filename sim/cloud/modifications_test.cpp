#include <gtest/gtest.h>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

const Time kAfterADay = kStart + std::chrono::hours{24};

VolumeId modifiable_volume(CloudWorld& w, const VolumeSpec& spec) {
  const VolumeId id = w.cloud.create_volume(spec);
  w.run(10s);
  return id;
}

const VolumeModification& last(CloudWorld& w, const VolumeId& id) {
  return w.cloud.volume(id).modifications.back();
}

TEST(Modifications, GrowAVolumeWithinSecondsAndCompleteLater) {
  CloudWorld w;
  const VolumeId id =
      modifiable_volume(w, {.availability_zone = "us-west-2b", .size_gib = 512, .type = "gp2"});
  const VolumeModification begun =
      w.cloud.modify_volume(id, {.size_gib = 1024, .type = "gp3", .iops = 4000});
  EXPECT_EQ(begun.state, ModificationState::kModifying);
  EXPECT_EQ(begun.original, (VolumeSettings{512, "gp2", 1536, 0}));
  EXPECT_EQ(begun.target, (VolumeSettings{1024, "gp3", 4000, 125}));
  EXPECT_EQ(w.cloud.volume(id).size_gib, 512);

  w.run(10s);
  EXPECT_EQ(last(w, id).state, ModificationState::kOptimizing);
  EXPECT_EQ(w.cloud.volume(id).size_gib, 1024);
  EXPECT_EQ(w.cloud.volume(id).type, "gp3");
  EXPECT_EQ(w.host.changed.back(), (VolumeSettings{1024, "gp2", 1536, 0})) << "slow until the end";

  w.run(std::chrono::hours{5});
  EXPECT_EQ(last(w, id).state, ModificationState::kOptimizing);
  w.run(std::chrono::hours{1});
  EXPECT_EQ(last(w, id).state, ModificationState::kCompleted);
  EXPECT_EQ(w.host.changed.back(), (VolumeSettings{1024, "gp3", 4000, 125}));
  EXPECT_EQ(w.cloud.volume(id).state, VolumeState::kAvailable);
  EXPECT_EQ(w.path("volume.modification", id.value), "modifying optimizing completed");
  EXPECT_EQ(w.of_kind("volume.modification").front().fields.at("iops"), 4000);
}

TEST(Modifications, TakeTheDurationsOfTheCloud) {
  Durations durations = fixed_durations();
  durations.volume_modifying = {1min, 1min};
  durations.volume_optimizing = 1024s;
  CloudWorld w(default_prices(), 1, durations);
  const VolumeId id = modifiable_volume(w, {.availability_zone = "us-west-2b", .size_gib = 100});
  w.cloud.modify_volume(id, {.size_gib = 200});
  w.run(59s);
  EXPECT_EQ(last(w, id).state, ModificationState::kModifying);
  w.run(200s);
  EXPECT_EQ(last(w, id).state, ModificationState::kOptimizing);
  w.run(1s);
  EXPECT_EQ(last(w, id).state, ModificationState::kCompleted);
}

TEST(Modifications, AreRefusedWhileOneIsPendingAndAfterFourInADay) {
  CloudWorld w;
  const VolumeId id = w.volume();
  w.run(5min);
  const auto grow = [&](int gib) {
    return w.refusal([&] { w.cloud.modify_volume(id, {.size_gib = gib}); });
  };
  const int size = w.cloud.volume(id).size_gib;
  for (int more = 1; more <= 4; ++more) {
    EXPECT_EQ(grow(size + more), "");
    EXPECT_EQ(grow(size + more), "IncorrectModificationState");
    w.run(std::chrono::hours{1});
  }
  EXPECT_EQ(grow(size + 5), "VolumeModificationRateExceeded");
  w.run(std::chrono::hours{20} + 10s);
  EXPECT_EQ(grow(size + 5), "") << "24 hours after the first one";
}

TEST(Modifications, CheckTheNewSettings) {
  CloudWorld w;
  const VolumeId id = modifiable_volume(
      w, {.availability_zone = "us-west-2b", .size_gib = 100, .type = "gp3", .iops = 5000});
  const auto refused = [&](const VolumeChange& change) {
    return w.refusal([&] { w.cloud.modify_volume(id, change); });
  };
  EXPECT_EQ(refused({.size_gib = 99}), "InvalidParameterValue");
  EXPECT_EQ(refused({.type = "gp9"}), "UnknownVolumeType");
  EXPECT_EQ(refused({.type = "gp2", .iops = 3000}), "InvalidParameterCombination");
  EXPECT_EQ(refused({.throughput = 2000}), "InvalidParameterValue");
  EXPECT_EQ(refused({.type = "st1"}), "InvalidParameterValue") << "smaller than 125 GiB";
  EXPECT_TRUE(w.cloud.volume(id).modifications.empty());
  EXPECT_EQ(w.cloud.modify_volume(id, {.throughput = 500}).target,
            (VolumeSettings{100, "gp3", 5000, 500}))
      << "IOPS are kept";
  EXPECT_EQ(w.refusal([&] { w.cloud.modify_volume(VolumeId{"vol-0"}, {.size_gib = 1}); }),
            "InvalidVolume.NotFound");
}

TEST(Modifications, ToIo1HaveThreeThousandIopsByDefault) {
  CloudWorld w;
  const VolumeId id =
      modifiable_volume(w, {.availability_zone = "us-west-2b", .size_gib = 100, .type = "gp2"});
  EXPECT_EQ(w.cloud.modify_volume(id, {.type = "io1"}).target,
            (VolumeSettings{100, "io1", 3000, 0}));
}

TEST(Modifications, ChangeThePriceFromTheCallOn) {
  CloudWorld w;
  const VolumeId id =
      modifiable_volume(w, {.availability_zone = "us-west-2b", .size_gib = 100, .type = "gp2"});
  const Time changed = w.simulation.now();
  w.cloud.modify_volume(id, {.size_gib = 200, .type = "gp3"});
  ASSERT_EQ(w.cloud.ledger().items().size(), 1U);
  const LineItem& before = w.cloud.ledger().items().front();
  EXPECT_EQ(before.usage, "EBS:VolumeUsage.gp2");
  EXPECT_EQ(before.to, changed);

  w.run(kAfterADay - changed);
  const std::vector<LineItem> after =
      volume_charges(w.cloud.volume(id), w.simulation.now(), w.cloud.config().prices);
  ASSERT_EQ(after.size(), 1U);
  EXPECT_EQ(after[0].usage, "EBS:VolumeUsage.gp3");
  EXPECT_EQ(after[0].from, changed);
  EXPECT_EQ(after[0].cost, gb_month_charge(w.cloud.config().prices.volume_gp3_gb_month, 200LL << 30,
                                           kAfterADay - changed));
}

TEST(Modifications, EndWithTheirVolume) {
  CloudWorld w;
  const VolumeId id = w.volume();
  w.run(5min);
  w.cloud.modify_volume(id, {.size_gib = 1000});
  w.cloud.delete_volume(id);
  w.run(std::chrono::hours{24});
  EXPECT_EQ(last(w, id).state, ModificationState::kModifying);
  EXPECT_TRUE(w.host.changed.empty());
}

TEST(Snapshots, KeepTheirPermissionsUntilTheyAreReset) {
  CloudWorld w;
  const VolumeId volume = w.volume();
  w.run(5min);
  const SnapshotId id = w.cloud.create_snapshot(volume, "", {});
  w.cloud.permit_volumes(id, {.everyone = true, .accounts = {"210987654321"}});
  EXPECT_TRUE(w.cloud.snapshot(id).volume_permissions.everyone);
  w.cloud.permit_volumes(id, {});
  EXPECT_TRUE(w.cloud.snapshot(id).volume_permissions.accounts.empty());
}

}  // namespace
}  // namespace sim::cloud
