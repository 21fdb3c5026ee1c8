#include "sim/ticks/windows.h"

#include <gtest/gtest.h>

namespace sim::ticks {
namespace {

using market::Usd;

Time at(Duration since) { return Time{} + since; }

// A price that changes every hour from `first` on: 1, 2, 3 … dollars.
std::vector<market::PricePoint> rising(Duration first, int hours) {
  std::vector<market::PricePoint> points;
  for (int h = 0; h <= hours; ++h)
    points.push_back({at(first + h * 1h), {(h + 1) * 1'000'000'000L}});
  return points;
}

PoolTrace trace(const std::string& name, Duration first, int hours) {
  const market::Pool pool{"g2.2xlarge", name};
  auto made = always_there({.pools = {{pool, rising(first, hours)}}});
  return {.name = name, .series = std::move(made.pools.at(pool))};
}

TEST(SideBySide, CoverTheCommonTimeOfAllTraces) {
  const auto windows =
      cut_side_by_side("m", {trace("us-east-1a", 0h, 5), trace("us-east-1b", 90min, 5)},
                       {.between_zones = {{250'000'000}, 5min}}, {.tick = 30min});
  ASSERT_EQ(windows.size(), 1u);
  const Pools& pools = windows[0].pools;
  ASSERT_EQ(pools.pools.size(), 2u);
  // The common time is 1:30 to 5:00. At 1:30 the price of a is 2, and b's first hour begins.
  ASSERT_EQ(pools.pools[0].spot.prices.size(), 7u);
  EXPECT_EQ(pools.pools[0].spot.prices[0], (Usd{2'000'000'000}));
  EXPECT_EQ(pools.pools[0].spot.prices[1], (Usd{3'000'000'000}));
  EXPECT_EQ(pools.pools[1].spot.prices[1], (Usd{1'000'000'000}));
  EXPECT_EQ(pools.pools[1].spot.prices[6], (Usd{4'000'000'000}));
  EXPECT_EQ(pools.pools[1].spot.available, std::vector<std::uint8_t>(7, 1));
  EXPECT_EQ(pools.move(0, 1), (PoolMove{{250'000'000}, 5min}));
  EXPECT_EQ(pools.move(1, 1), PoolMove{});
}

TEST(SideBySide, WindowsOfOnePoolAreTheOnesOfCut) {
  const market::Pool pool{"g2.2xlarge", "us-east-1a"};
  const auto history = always_there({.pools = {{pool, rising(0h, 100)}}});
  const Cut how{.tick = 10min, .length = 20h, .count = 7, .seed = 3, .trace_prices = true};
  const auto one = cut(history, how);
  const auto side_by_side = cut_side_by_side("m", {trace("us-east-1a", 0h, 100)}, {}, how);
  ASSERT_EQ(one.size(), 7u);
  ASSERT_EQ(side_by_side.size(), 7u);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(one[i].number, static_cast<std::int64_t>(i));
    EXPECT_EQ(one[i].pools.pools[0].spot.prices, side_by_side[i].pools.pools[0].spot.prices);
  }
}

TEST(SideBySide, AreNoneIfTracesDoNotOverlapForTheLength) {
  const std::vector<PoolTrace> apart{trace("a", 0h, 5), trace("b", 9h, 5)};
  EXPECT_TRUE(cut_side_by_side("m", apart, {}, {.tick = 10min}).empty());
  const std::vector<PoolTrace> two_hours{trace("a", 0h, 5), trace("b", 3h, 5)};
  EXPECT_TRUE(cut_side_by_side("m", two_hours, {}, {.tick = 10min, .length = 3h}).empty());
  EXPECT_EQ(cut_side_by_side("m", two_hours, {}, {.tick = 10min, .length = 2h}).size(), 1u);
}

TEST(SideBySide, CapacityIsCountedInGangs) {
  const PoolTrace pool{
      .name = "a",
      .series = {.steps = {{at(0h), 3}, {at(1h), 4}, {at(2h), 9}, {at(3h), 2000}}, .end = at(4h)}};
  const auto windows = cut_side_by_side("m", {pool}, {}, {.tick = 1h, .instances = 4});
  EXPECT_EQ(windows.at(0).pools.pools[0].spot.available, (std::vector<std::uint8_t>{0, 1, 2, 255}));
}

}  // namespace
}  // namespace sim::ticks
