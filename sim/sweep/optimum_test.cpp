// The exact programmes against every schedule there is, on small instances.
#include "sim/sweep/optimum.h"

#include <gtest/gtest.h>

#include "sim/kernel/random.h"

namespace sim::sweep {
namespace {

using market::Usd;

// A schedule: for each tick, what is held: nothing, or offer 1, 2, … of 2 × regions (spot and
// on-demand of each region in turn).
using Schedule = std::vector<int>;

Usd price_of(const Regions& all, int held, std::size_t t) {
  const Region& region = all.regions[static_cast<std::size_t>(held - 1) / 2];
  if (held % 2 == 0) return region.on_demand;
  return region.window.prices.empty() ? region.spot : region.window.prices[t];
}

bool possible(const Regions& all, const Schedule& schedule) {
  for (std::size_t t = 0; t < schedule.size(); ++t) {
    if (schedule[t] % 2 == 0) continue;  // nothing, or on-demand
    const SpotWindow& w = all.regions[static_cast<std::size_t>(schedule[t] - 1) / 2].window;
    if (t >= w.available.size() || !w.available[t]) return false;
  }
  return true;
}

// What the schedule costs until its work is done; empty when it is not, by its end. Progress is
// made run by run, with the changeover before and, unless the job ends on it, a checkpoint after.
std::optional<double> cost_of(const TickJob& job, const Regions& all, const Schedule& schedule) {
  double cost = 0;
  Duration kept{};
  std::optional<std::size_t> data;
  for (std::size_t t = 0; t < schedule.size();) {
    const int held = schedule[t];
    const std::size_t begin = t;
    const auto region = static_cast<std::size_t>(held - 1) / 2;
    if (held && data && *data != region)
      cost += all.egress[*data * all.regions.size() + region].dollars();
    if (held) data = region;
    for (; t < schedule.size() && schedule[t] == held; ++t) {
      if (!held) continue;
      cost += price_of(all, held, t).dollars() * seconds(job.tick) / 3600;
      const Duration worked = static_cast<std::int64_t>(t + 1 - begin) * job.tick - job.changeover;
      if (kept + worked >= job.work) return cost;
    }
    const Duration length = static_cast<std::int64_t>(t - begin) * job.tick;
    if (held) kept += std::max(length - job.changeover - job.checkpoint_cost, Duration{});
  }
  return std::nullopt;
}

std::optional<double> cheapest_of_all(const TickJob& job, const Regions& all, std::size_t ticks) {
  const int choices = 1 + 2 * static_cast<int>(all.regions.size());
  Schedule schedule(ticks, 0);
  std::optional<double> best;
  for (;;) {
    if (possible(all, schedule)) {
      const auto cost = cost_of(job, all, schedule);
      if (cost && (!best || *cost < *best)) best = cost;
    }
    std::size_t t = 0;
    while (t < ticks && ++schedule[t] == choices) schedule[t++] = 0;
    if (t == ticks) return best;
  }
}

TickJob random_job(Stream& draw, std::int64_t ticks) {
  return {
      .work = (1 + static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(ticks)))) * 5min,
      .deadline = ticks * 10min,
      .changeover = static_cast<std::int64_t>(draw.below(8)) * 2min,
      .tick = 10min,
      .on_demand = {3'000'000'000},
      .spot = {1'000'000'000},
      .checkpoint_cost = static_cast<std::int64_t>(draw.below(3)) * 4min};
}

Regions random_regions(Stream& draw, std::size_t count, std::int64_t ticks) {
  Regions all;
  for (std::size_t r = 0; r < count; ++r) {
    Region region{.on_demand = {static_cast<std::int64_t>(2 + draw.below(3)) * 1'000'000'000},
                  .spot = {static_cast<std::int64_t>(1 + draw.below(3)) * 500'000'000}};
    for (std::int64_t t = 0; t < ticks; ++t) {
      region.window.available.push_back(draw.below(3) > 0);
      region.window.prices.push_back({static_cast<std::int64_t>(1 + draw.below(20)) * 100'000'000});
    }
    if (draw.below(2)) region.window.prices.clear();
    all.regions.push_back(std::move(region));
  }
  for (std::size_t i = 0; i < count * count; ++i)
    all.egress.push_back({static_cast<std::int64_t>(draw.below(3)) * 50'000'000});
  return all;
}

void expect_equal(const std::optional<Usd>& found, const std::optional<double>& brute, int i) {
  ASSERT_EQ(found.has_value(), brute.has_value()) << i;
  if (found) {
    ASSERT_NEAR(found->dollars(), *brute, 1e-8) << i;
  }
}

TEST(Optimum, OfOneRegionIsTheCheapestOfAllSchedules) {
  Stream draw(1);
  for (int i = 0; i < 60; ++i) {
    constexpr std::int64_t kTicks = 8;
    TickJob job = random_job(draw, kTicks);
    const Regions all = random_regions(draw, 1, kTicks);
    job.on_demand = all.regions[0].on_demand;
    job.spot = all.regions[0].spot;
    expect_equal(least_cost(job, all.regions[0].window), cheapest_of_all(job, all, kTicks), i);
  }
}

TEST(Optimum, OfTwoRegionsIsTheCheapestOfAllSchedules) {
  Stream draw(2);
  for (int i = 0; i < 25; ++i) {
    constexpr std::int64_t kTicks = 6;
    const TickJob job = random_job(draw, kTicks);
    const Regions all = random_regions(draw, 2, kTicks);
    expect_equal(least_cost(job, all), cheapest_of_all(job, all, kTicks), i);
  }
}

TEST(Optimum, OfEqualRegionsIsThatOfOne) {
  Stream draw(3);
  for (int i = 0; i < 20; ++i) {
    TickJob job = random_job(draw, 60);
    Regions all = random_regions(draw, 1, 60);
    job.on_demand = all.regions[0].on_demand;
    job.spot = all.regions[0].spot;
    const auto one = least_cost(job, all.regions[0].window);
    all.regions.push_back(all.regions[0]);
    all.egress.assign(4, {10'000'000});
    EXPECT_EQ(least_cost(job, all), one);
  }
}

TEST(Optimum, IsEmptyWhenNothingMeetsTheDeadline) {
  const TickJob job{
      .work = 1h, .deadline = 1h, .changeover = 1min, .tick = 10min, .on_demand = {3}, .spot = {1}};
  EXPECT_EQ(least_cost(job, SpotWindow{}), std::nullopt);
  TickJob late = job;
  late.deadline = 50min;
  EXPECT_EQ(least_cost(late, SpotWindow{}), std::nullopt);
}

TEST(Optimum, RefusesAStepThatIsTooSmall) {
  const TickJob job{.work = 48h,
                    .deadline = 60h,
                    .changeover = Duration{720'000'000'001},
                    .tick = 10min,
                    .on_demand = {3},
                    .spot = {1}};
  EXPECT_THROW(least_cost(job, SpotWindow{}), std::length_error);
}

}  // namespace
}  // namespace sim::sweep
