#include "sim/cloud/volume_types.h"

#include <gtest/gtest.h>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

constexpr std::int64_t kMibibyte = 1 << 20;

TEST(VolumeTypes, HaveTheirSpeeds) {
  EXPECT_EQ(bytes_per_second({.size_gib = 100, .type = "gp2"}), 128 * kMibibyte);
  EXPECT_EQ(bytes_per_second({.size_gib = 334, .type = "gp2"}), 250 * kMibibyte);
  EXPECT_EQ(bytes_per_second({.size_gib = 334, .type = "gp3"}), 125 * kMibibyte);
  EXPECT_EQ(bytes_per_second({.size_gib = 334, .type = "gp3", .throughput = 500}), 500 * kMibibyte);
  EXPECT_EQ(bytes_per_second({.size_gib = 100, .type = "io1", .iops = 1000}), 250 * kMibibyte);
  EXPECT_EQ(bytes_per_second({.size_gib = 640, .type = "io1", .iops = 32000}), 500 * kMibibyte);
  EXPECT_EQ(bytes_per_second({.size_gib = 1280, .type = "io1", .iops = 64000}), 1000 * kMibibyte);
  EXPECT_EQ(bytes_per_second({.size_gib = 100, .type = "io2", .iops = 32000}), 1000 * kMibibyte);
  EXPECT_EQ(bytes_per_second({.size_gib = 2048, .type = "st1"}), 80 * kMibibyte);
}

TEST(VolumeTypes, FillInWhatIsNotGiven) {
  VolumeSpec spec{.size_gib = 100, .type = "gp3"};
  check_and_complete(spec);
  EXPECT_EQ(spec.iops, 3000);
  EXPECT_EQ(spec.throughput, 125);
  spec = {.size_gib = 500, .type = "st1"};
  check_and_complete(spec);
  EXPECT_EQ(spec.iops, 0);
}

TEST(VolumeTypes, RefuseWhatTheyDoNotHave) {
  const auto refused = [](VolumeSpec spec) {
    return CloudWorld::refusal([&] { check_and_complete(spec); });
  };
  EXPECT_EQ(refused({.size_gib = 10, .type = "gp2", .iops = 300}), "InvalidParameterCombination");
  EXPECT_EQ(refused({.size_gib = 10, .type = "gp2", .throughput = 200}),
            "InvalidParameterDependency");
  EXPECT_EQ(refused({.size_gib = 10, .type = "gp3", .iops = 2999}), "InvalidParameterValue");
  EXPECT_EQ(refused({.size_gib = 10, .type = "gp3", .iops = 5001}), "InvalidParameterValue");
  EXPECT_EQ(refused({.size_gib = 10, .type = "gp3", .iops = 5000}), "");
  EXPECT_EQ(refused({.size_gib = 1, .type = "gp3"}), "");
  EXPECT_EQ(refused({.size_gib = 10, .type = "gp3", .throughput = 751}), "InvalidParameterValue");
  EXPECT_EQ(refused({.size_gib = 10, .type = "io1"}), "MissingParameter");
  EXPECT_EQ(refused({.size_gib = 10, .type = "io1", .iops = 501}), "InvalidParameterValue");
  EXPECT_EQ(refused({.size_gib = 124, .type = "st1"}), "InvalidParameterValue");
}

TEST(VolumeTypes, ChargeProvisionedIopsAndThroughput) {
  const Volume volume{.id = {"vol-1"},
                      .size_gib = 100,
                      .type = "gp3",
                      .iops = 4000,
                      .throughput = 225,
                      .created_at = kStart};
  const auto items = volume_charges(volume, kStart + kBillingMonth, {});
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(items[0].cost, usd("8"));
  EXPECT_EQ(items[1].usage, "EBS:VolumeP-IOPS.gp3");
  EXPECT_EQ(items[1].cost, usd("5"));
  EXPECT_EQ(items[2].cost, usd("4"));
  EXPECT_TRUE(volume_charges({.root = true}, kStart, {}).empty());
}

}  // namespace
}  // namespace sim::cloud
