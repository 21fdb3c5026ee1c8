// Throughput, IOPS and credits against their closed forms and EBS's published tables.
#include "sim/guest/disks/volume_speed.h"

#include <gtest/gtest.h>

#include <random>

namespace sim::guest {
namespace {

constexpr std::int64_t kGibibyte = 1024 * kMebibyte;
constexpr Time kStart{};

cloud::VolumePerformance of(const std::string& type, int gib, int iops = 0, int throughput = 0) {
  return cloud::performance(
      {.size_gib = gib, .type = type, .iops = iops, .throughput = throughput});
}
Transfer sequential(const VolumeSpeed& speed, std::int64_t bytes) {
  return {.bytes = bytes, .ios = speed.ios(bytes)};
}
Transfer random_4k(std::int64_t ios) { return {.bytes = ios * 4096, .ios = ios}; }
double seconds_of(VolumeSpeed& speed, Time now, const Transfer& transfer) {
  return seconds(speed.transfer(now, transfer));
}

TEST(VolumeSpeed, CountsAnIoForEach256KibThatFollowOneAnother) {
  const VolumeSpeed ssd(of("gp3", 100)), disk(of("st1", 500));
  EXPECT_EQ(ssd.ios(1), 1);
  EXPECT_EQ(ssd.ios(256 << 10), 1);
  EXPECT_EQ(ssd.ios((256 << 10) + 1), 2);
  EXPECT_EQ(ssd.ios(0), 0);
  EXPECT_EQ(disk.ios(kMebibyte + 1), 2);
}

TEST(VolumeSpeed, IsTheThroughputInLargeTransfersAndTheIopsInSmallOnes) {
  VolumeSpeed gp3(of("gp3", 100));
  EXPECT_EQ(seconds_of(gp3, kStart, sequential(gp3, 1000 * kMebibyte)), 8);
  EXPECT_EQ(seconds_of(gp3, kStart + 1h, random_4k(30'000)), 10);
  VolumeSpeed more(of("gp3", 100, 10'000, 500));
  EXPECT_EQ(seconds_of(more, kStart, sequential(more, 1000 * kMebibyte)), 2);
  EXPECT_EQ(seconds_of(more, kStart + 1h, random_4k(30'000)), 3);
  VolumeSpeed io1(of("io1", 100, 100));
  EXPECT_EQ(seconds_of(io1, kStart, sequential(io1, 100 * kMebibyte)), 4) << "25 MiB/s";
}

TEST(VolumeSpeed, BeginsNothingWhileItIsPausedAndEarnsCredits) {
  VolumeSpeed gp2(of("gp2", 100));
  EXPECT_EQ(seconds_of(gp2, kStart, random_4k(300'000)), 100);
  const double left = gp2.credits(kStart + 100s);
  gp2.pause(kStart + 160s);
  gp2.pause(kStart + 130s);  // ends no other
  EXPECT_EQ(seconds_of(gp2, kStart + 120s, random_4k(3000)), 41);
  EXPECT_DOUBLE_EQ(gp2.credits(kStart + 161s), left + 60 * 300 - 3000 + 300);
  EXPECT_EQ(seconds_of(gp2, kStart + 300s, random_4k(3000)), 1);
}

TEST(VolumeSpeed, ChangesForTransfersAfterTheOnesThatHaveBegun) {
  VolumeSpeed volume(of("gp2", 100));
  EXPECT_EQ(seconds_of(volume, kStart, random_4k(300'000)), 100);
  volume.change(kStart + 10s, of("gp3", 100, 10'000, 500));
  EXPECT_EQ(seconds_of(volume, kStart + 100s, random_4k(30'000)), 3);
  EXPECT_EQ(volume.credits(kStart + 1h), 0) << "gp3 has none";
  volume.change(kStart + 1h, of("gp2", 100));
  EXPECT_EQ(volume.credits(kStart + 1h), 0) << "they are to be earned again";
  EXPECT_EQ(volume.credits(kStart + 1h + 10s), 3000);
}

// "Burst duration at 3,000 IOPS" and "Time to refill empty credit balance".
TEST(VolumeSpeed, BurstsForAsLongAsEbsDocuments) {
  struct Burst {
    int gib;
    double burst, refill;
  };
  for (const auto& [gib, burst, refill] : {Burst{1, 1862, 54'000}, Burst{100, 2000, 18'000},
                                           Burst{334, 2703, 5389}, Burst{750, 7200, 2400}}) {
    const auto performance = of("gp2", gib);
    VolumeSpeed speed(performance);
    const auto ios = static_cast<std::int64_t>(burst * 3000);
    EXPECT_NEAR(seconds_of(speed, kStart, random_4k(ios)), burst, 1) << gib;
    EXPECT_LT(speed.credits(kStart + from_seconds(burst)), 3000) << gib;
    // One more transfer, at the remaining rate.
    const Time empty = kStart + from_seconds(burst + 1);
    EXPECT_NEAR(seconds_of(speed, empty, random_4k(ios)),
                static_cast<double>(ios) / performance.iops,
                static_cast<double>(ios) / performance.iops * 0.01)
        << gib;
    const Time later = empty + speed.transfer(empty, {});
    EXPECT_NEAR(speed.credits(later + from_seconds(refill / 2)), 2'700'000, 3000) << gib;
    EXPECT_NEAR(speed.credits(later + from_seconds(refill + 1)), 5'400'000, 1) << gib;
  }
}

// 1 GiB of gp2: 128 MiB/s are 512 I/Os a second, of which 100 are earned.
TEST(VolumeSpeed, FallsFromAFullBucketsThroughputToTheBaseline) {
  VolumeSpeed speed(of("gp2", 1));
  const double full = 5'400'000.0 / (512 - 100);  // seconds
  const auto bytes = static_cast<std::int64_t>(full * 128 * kMebibyte);
  EXPECT_NEAR(seconds_of(speed, kStart, sequential(speed, bytes)), full, 0.01);
  const Time empty = kStart + from_seconds(full);
  EXPECT_NEAR(seconds_of(speed, empty, sequential(speed, kGibibyte)), 1024.0 / 25, 0.1);
}

TEST(VolumeSpeed, OfHardDisksIsAScanOfTheVolume) {
  // "ST1 scan time with burst" and SC1's, hours: 1, 2 and 5 TiB.
  for (const auto& [tib, st1, sc1] :
       {std::tuple{1, 1.17, 3.64}, {2, 1.17, 3.64}, {5, 2.91, 5.83}}) {
    VolumeSpeed warm(of("st1", tib * 1024)), cold(of("sc1", tib * 1024));
    EXPECT_NEAR(seconds_of(warm, kStart, sequential(warm, tib * 1024 * kGibibyte)) / 3600, st1,
                0.01);
    EXPECT_NEAR(seconds_of(cold, kStart, sequential(cold, tib * 1024 * kGibibyte)) / 3600, sc1,
                0.01);
  }
  VolumeSpeed small(of("st1", 1024));
  EXPECT_EQ(seconds_of(small, kStart, random_4k(2500)), 10) << "each counts as a MiB";
}

TEST(VolumeSpeed, ReadsASnapshotsBytesSlowly) {
  VolumeSpeed speed(of("gp2", 100));
  EXPECT_EQ(
      speed.transfer(kStart, {.bytes = 148 * kMebibyte, .ios = 1, .first_read = 20 * kMebibyte}),
      2s);
}

TEST(VolumeSpeed, ReadsASnapshotsBytesMoreSlowlyYet) {
  VolumeSpeed speed(of("gp2", 100));
  speed.slow_first_reads(4);
  EXPECT_EQ(
      speed.transfer(kStart, {.bytes = 148 * kMebibyte, .ios = 1, .first_read = 20 * kMebibyte}),
      5s);
}

TEST(VolumeSpeed, HasOneQueue) {
  VolumeSpeed speed(of("gp2", 100));
  EXPECT_EQ(speed.transfer(kStart, sequential(speed, 128 * kMebibyte)), 1s);
  EXPECT_EQ(speed.transfer(kStart + 500ms, sequential(speed, 128 * kMebibyte)), 1500ms);
  EXPECT_EQ(speed.transfer(kStart + 5s, sequential(speed, 128 * kMebibyte)), 1s);
}

// After any earlier transfers, one transfer takes as long as its parts in a row. It is not faster
// than burst and throughput permit, and not slower than the baseline.
TEST(VolumeSpeed, TakesTheSameInOnePieceAndInMany) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const char* const types[] = {"gp2", "gp3", "st1", "sc1"};
    const auto performance = of(types[random() % 4], 125 + static_cast<int>(random() % 4000));
    VolumeSpeed whole(performance), parts(performance);
    const Transfer before = random_4k(random() % 10'000'000);
    Time now = kStart + whole.transfer(kStart, before);
    parts.transfer(kStart, before);
    const std::int64_t ios = 1 + static_cast<std::int64_t>(random() % 100'000), n = 7;
    const std::int64_t size = 4096 * (1 + static_cast<std::int64_t>(random() % 64));
    const double took = seconds_of(whole, now, {.bytes = n * ios * size, .ios = n * ios});
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      const Duration part = parts.transfer(now, {.bytes = ios * size, .ios = ios});
      now += part;
      sum += seconds(part);
    }
    EXPECT_NEAR(took, sum, 1e-6 * sum + 1e-6);
    const double by_bytes =
        static_cast<double>(n * ios * size) / static_cast<double>(performance.bytes_per_second);
    const auto all = static_cast<double>(n * ios);
    EXPECT_GE(took * (1 + 1e-9) + 1e-6, std::max(by_bytes, all / performance.burst_iops));
    EXPECT_LE(took, std::max(by_bytes, all / performance.iops) * (1 + 1e-9) + 1e-6);
  }
}

}  // namespace
}  // namespace sim::guest
