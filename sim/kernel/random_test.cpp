#include "sim/kernel/random.h"

#include <gtest/gtest.h>

#include <set>

namespace sim {
namespace {

std::vector<std::uint64_t> draws(Stream stream, int n) {
  std::vector<std::uint64_t> out;
  for (int i = 0; i < n; ++i) out.push_back(stream.next());
  return out;
}

TEST(Streams, AreTheSameForTheSameSeedRunNameAndId) {
  EXPECT_EQ(draws(Streams(7, 1).stream("a", "b"), 100), draws(Streams(7, 1).stream("a", "b"), 100));
}

TEST(Streams, DifferInSeedRunNameAndId) {
  std::set<std::vector<std::uint64_t>> seen;
  for (std::uint64_t seed : {0u, 1u})
    for (std::uint64_t run : {0u, 1u})
      for (const char* name : {"", "a", "ab", "snapshot-duration"})
        for (const char* id : {"", "b", "ba"})
          EXPECT_TRUE(seen.insert(draws(Streams(seed, run).stream(name, id), 4)).second)
              << seed << ' ' << run << ' ' << name << ' ' << id;
}

TEST(Streams, ADrawInOneMovesNoOther) {
  const Streams streams(3);
  const auto untouched = draws(streams.stream("b"), 50);
  Stream a = streams.stream("a"), b = streams.stream("b");
  std::vector<std::uint64_t> mixed;
  for (int i = 0; i < 50; ++i) {
    for (int k = 0; k < i % 3; ++k) a.next();
    mixed.push_back(b.next());
  }
  EXPECT_EQ(mixed, untouched);
}

TEST(Streams, NextDoesNotRepeatABlock) {
  const auto values = draws(Stream(1), 10'000);
  EXPECT_EQ(std::set<std::uint64_t>(values.begin(), values.end()).size(), values.size());
}

TEST(Stream, UniformIsInTheHalfOpenUnitInterval) {
  Stream stream(2);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double u = stream.uniform();
    ASSERT_TRUE(u >= 0 && u < 1);
    sum += u;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);
}

TEST(Stream, BelowIsUnbiasedAndStaysBelow) {
  Stream stream(3);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) ++counts.at(stream.below(7));
  for (int count : counts) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(stream.below(1), 0u);
  for (int i = 0; i < 1000; ++i) EXPECT_LT(stream.below(UINT64_MAX), UINT64_MAX);
}

TEST(Stream, DurationsAreWholeMillisecondsInRange) {
  Stream stream(4);
  Duration sum{};
  for (int i = 0; i < 20'000; ++i) {
    const Duration e = stream.exponential(10s), b = stream.between(2s, 5s);
    ASSERT_TRUE(e >= 0s && e % 1ms == 0s);
    ASSERT_TRUE(b >= 2s && b <= 5s && b % 1ms == 0s);
    sum += e;
  }
  EXPECT_NEAR(seconds(sum) / 20'000, 10, 0.3);
  EXPECT_EQ(stream.between(3s, 3s), 3s);
}

}  // namespace
}  // namespace sim
