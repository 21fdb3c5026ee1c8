#include "sim/cloud/volume_types.h"

#include <gtest/gtest.h>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

constexpr std::int64_t kMibibyte = 1 << 20;

TEST(VolumeTypes, HaveTheirSpeeds) {
  const auto mibibytes = [](const Volume& volume) {
    return static_cast<double>(performance(volume).bytes_per_second) / kMibibyte;
  };
  EXPECT_EQ(mibibytes({.size_gib = 170, .type = "gp2"}), 128);
  EXPECT_EQ(mibibytes({.size_gib = 171, .type = "gp2"}), 250);
  EXPECT_EQ(mibibytes({.size_gib = 334, .type = "gp3"}), 125);
  EXPECT_EQ(mibibytes({.size_gib = 334, .type = "gp3", .throughput = 500}), 500);
  EXPECT_EQ(mibibytes({.size_gib = 100, .type = "io1", .iops = 1000}), 250);
  EXPECT_EQ(mibibytes({.size_gib = 640, .type = "io1", .iops = 32000}), 500);
  EXPECT_EQ(mibibytes({.size_gib = 1280, .type = "io1", .iops = 64000}), 1000);
  EXPECT_EQ(mibibytes({.size_gib = 100, .type = "io2", .iops = 32000}), 1000);
  EXPECT_EQ(mibibytes({.size_gib = 128, .type = "st1"}), 31.25);
  EXPECT_EQ(mibibytes({.size_gib = 2048, .type = "st1"}), 500);
  EXPECT_EQ(mibibytes({.size_gib = 16 * 1024, .type = "sc1"}), 250);
}

// The tables of "General Purpose SSD volumes" and "… HDD volumes".
TEST(VolumeTypes, HaveIopsAndCreditsByTheirSize) {
  const auto of = [](const std::string& type, int gib, int iops = 0) {
    return performance({.size_gib = gib, .type = type, .iops = iops});
  };
  EXPECT_EQ(of("gp2", 1).iops, 100);
  EXPECT_EQ(of("gp2", 100).iops, 300);
  EXPECT_EQ(of("gp2", 100).burst_iops, 3000);
  EXPECT_EQ(of("gp2", 100).credits, 5'400'000);
  EXPECT_EQ(of("gp2", 1000).credits, 0);
  EXPECT_EQ(of("gp2", 5334).burst_iops, 16000);
  EXPECT_EQ(of("gp3", 100).iops, 3000);
  EXPECT_EQ(of("gp3", 100, 7000).burst_iops, 7000);
  EXPECT_EQ(of("io2", 100, 400).iops, 400);
  EXPECT_EQ(of("st1", 1024).iops, 40);
  EXPECT_EQ(of("st1", 1024).burst_iops, 250);
  EXPECT_EQ(of("st1", 1024).credits, 1024 * 1024);
  EXPECT_EQ(of("st1", 13 * 1024).credits, 0);
  EXPECT_EQ(of("sc1", 128).iops, 1.5);
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
