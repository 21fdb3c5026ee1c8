#include "sim/sweep/tick_sweep.h"

#include <gtest/gtest.h>

#include "sim/sweep/run_all_for_test.h"
#include "sim/ticks/kinds_for_test.h"

namespace sim::sweep {
namespace {

using market::Usd;

const ticks::TickJob kTickJob{.work = 4h,
                              .deadline = 9h,
                              .changeover = 10min,
                              .tick = 10min,
                              .on_demand = {3'000'000'000},
                              .spot = {1'000'000'000},
                              .checkpoint_interval = 1h,
                              .checkpoint_cost = 5min};

std::vector<ticks::Window> drawn(std::int64_t count) {
  return ticks::draw({.up = 3h, .down = 1h, .tick = kTickJob.tick, .length = 12h, .count = count});
}

// Window i of one market side by side with window i of another.
std::vector<ticks::Window> pairs(std::int64_t count) {
  const auto all = drawn(2 * count);
  std::vector<ticks::Window> windows;
  for (std::size_t i = 0; i < all.size(); i += 2) {
    ticks::Window w{"pair", static_cast<std::int64_t>(i / 2), {}};
    for (const std::size_t from : {i, i + 1}) w.pools.pools.push_back(all[from].pools.pools[0]);
    w.pools.pools[0].name = "us-east-1a", w.pools.pools[1].name = "us-east-1b";
    w.pools.pools[1].on_demand = {2'000'000'000};
    w.pools.moves = ticks::moves_between(w.pools.pools, {.between_zones = {{100'000'000}, 5min},
                                                         .between_regions = {{100'000'000}, 5min}});
    windows.push_back(std::move(w));
  }
  return windows;
}

// A pool that says the job's prices itself takes the slower way.
TEST(TickSweep, TheQuickWayThroughOnePoolChangesNoRow) {
  std::vector<std::string> alone;
  for (const auto& kind : policies::acquisition_policy_kinds())
    alone.push_back(ticks::written(kind));
  auto windows = drawn(60);
  const Rows quick = run_all(TickSweep({alone, {kTickJob}, windows}));
  for (ticks::Window& w : windows) w.pools.pools[0].on_demand = kTickJob.on_demand;
  const Rows pools = run_all(TickSweep({alone, {kTickJob}, windows}));
  EXPECT_EQ(quick.size(), 60 * alone.size());
  EXPECT_EQ(quick.cells(), pools.cells());
}

TEST(TickSweep, HasTheSameColumnsForOnePoolAsForSeveral) {
  const TickSweep alone({{"greedy"}, {kTickJob}, drawn(1)}),
      beside({{"greedy"}, {kTickJob}, pairs(1)});
  const auto columns = [](const TickSweep& sweep) {
    std::vector<std::string> all;
    for (const Measure& measure : sweep.grid().measures) all.push_back(measure.column());
    return all;
  };
  EXPECT_EQ(columns(alone), columns(beside));
  EXPECT_EQ(columns(alone).back(), "egress_usd");
  EXPECT_EQ(run_all(alone).measures(0).back(), 0) << "nothing moves";
}

TEST(TickSweep, AloneAPolicyBidsTheOnDemandPrice) {
  ticks::Window window = drawn(1).front();
  auto& spot = window.pools.pools[0].spot;
  spot.available.assign(spot.available.size(), 1);
  spot.prices.assign(spot.available.size(), {1'000'000'000});
  spot.prices[6] = {4'000'000'000};
  const TickSweep sweep({{"spot-only"}, {kTickJob}, {window}});
  const auto& names = sweep.grid().measures;
  const auto interruptions = std::find_if(
      names.begin(), names.end(), [](const Measure& m) { return m.name == "interruptions"; });
  EXPECT_EQ(run_all(sweep).measures(0)[static_cast<std::size_t>(interruptions - names.begin())], 1);
}

TEST(TickSweep, OptimumIsBelowEveryStrategyOnEveryPairOfPools) {
  std::vector<std::string> all{kOptimum};
  for (const std::string& text : ticks::all_strategies())
    if (ticks::heeds_deadline(text)) all.push_back(text);
  const TickSweep sweep({all, {kTickJob}, pairs(8)});
  EXPECT_EQ(sweep.grid().measures.back().name, "egress");
  const Rows rows = run_all(sweep);
  ASSERT_EQ(rows.size(), 8 * all.size());
  std::int64_t optimum = 0, met = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = rows.measures(i);
    if (i % all.size() == 0) optimum = row[kCost];
    EXPECT_EQ(row[kBaseline], (market::charge({2'000'000'000}, 250min).nano));
    if (!row[kDeadlineMet]) continue;
    EXPECT_LE(optimum, row[kCost]) << all[i % all.size()] << " in window " << i / all.size();
    ++met;
  }
  EXPECT_GT(met, static_cast<std::int64_t>(rows.size()) / 2);
}

TEST(TickSweep, FingerprintDistinguishesMovesAndPricesOfPools) {
  const auto print = [](std::vector<ticks::Window> windows) {
    return TickSweep({{"greedy"}, {kTickJob}, std::move(windows)}).fingerprint().hash;
  };
  const auto windows = pairs(2);
  auto dearer = windows, farther = windows, elsewhere = windows;
  dearer[1].pools.pools[0].on_demand = {1};
  farther[1].pools.moves[1].time += 1s;
  elsewhere[0].pools.pools[1].name = "us-east-1c";
  EXPECT_EQ(print(windows), print(pairs(2)));
  EXPECT_NE(print(windows), print(dearer));
  EXPECT_NE(print(windows), print(farther));
  EXPECT_NE(print(windows), print(elsewhere));
}

}  // namespace
}  // namespace sim::sweep
