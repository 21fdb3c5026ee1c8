// The exact programmes against every schedule there is, on small instances.
#include "sim/ticks/optimum.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/kernel/random.h"

namespace sim::sweep {
namespace {

using market::Usd;

// A schedule: for each tick, what is held: nothing, or offer 1, 2, … of 2 × pools (spot and
// on-demand of each pool in turn); from 2 × pools + 1 the same, of a new instance.
using Schedule = std::vector<int>;

int offer_of(const Pools& all, int held) {
  const int offers = 2 * static_cast<int>(all.pools.size());
  return held > offers ? held - offers : held;
}

Usd price_of(const Pools& all, int held, std::size_t t) {
  const PoolWindow& pool = all.pools[static_cast<std::size_t>(held - 1) / 2];
  if (held % 2 == 0) return pool.on_demand;
  return pool.spot.prices.empty() ? pool.spot_price : pool.spot.prices[t];
}

bool possible(const Pools& all, const Schedule& schedule) {
  for (std::size_t t = 0; t < schedule.size(); ++t) {
    const int held = offer_of(all, schedule[t]);
    if (held % 2 == 0) continue;  // nothing, or on-demand
    const SpotWindow& w = all.pools[static_cast<std::size_t>(held - 1) / 2].spot;
    if (t >= w.available.size() || !w.available[t]) return false;
  }
  return true;
}

// Whether EC2 can be who ends an instance held over [from, to): its pool has no spot then, or none
// for a price that was enough until then.
bool ends_by_ec2(const Pools& all, int held, std::size_t from, std::size_t to) {
  const SpotWindow& w = all.pools[static_cast<std::size_t>(held - 1) / 2].spot;
  if (held % 2 == 0) return false;
  if (to >= w.available.size() || !w.available[to]) return true;
  Usd most{};
  for (std::size_t t = from; t < to; ++t) most = std::max(most, price_of(all, held, t));
  return price_of(all, held, to) > most;
}

// What the schedule costs until its work is done; empty when it is not, by its end. Progress is
// made run by run, with the move and the changeover before and, unless the job ends on it, a
// checkpoint after. The data is where an instance got through its changeover.
std::optional<double> cost_of(const TickJob& job, const Pools& all, const Schedule& schedule) {
  double cost = 0;
  Duration kept{};
  std::optional<std::size_t> data;
  for (std::size_t t = 0; t < schedule.size();) {
    const int held = offer_of(all, schedule[t]);
    const std::size_t begin = t;
    const auto pool = static_cast<std::size_t>(held - 1) / 2;
    const PoolMove move = held && data ? all.move(*data, pool) : PoolMove{};
    cost += move.egress.dollars();
    const Duration idle = job.changeover + move.time;
    double bill = 0;
    do {
      if (held) {
        const double tick = price_of(all, held, t).dollars() * seconds(job.tick) / 3600;
        const Duration worked = static_cast<std::int64_t>(t + 1 - begin) * job.tick - idle;
        const Duration surplus = kept + worked - job.work;
        if (surplus >= Duration::zero()) {
          const double whole = job.billing ? 1 - seconds(surplus) / seconds(job.tick) : 1;
          return cost + bill + tick * whole;
        }
        bill += tick;
      }
      ++t;
    } while (t < schedule.size() && schedule[t] == held);
    const Duration length = static_cast<std::int64_t>(t - begin) * job.tick;
    const bool free = job.billing && held && length < 1h && ends_by_ec2(all, held, begin, t);
    if (!free) cost += bill;
    if (held && length >= idle) data = pool;
    if (held) kept += std::max(length - idle - job.checkpoint_cost, Duration{});
  }
  return std::nullopt;
}

std::optional<double> cheapest_of_all(const TickJob& job, const Pools& all, std::size_t ticks) {
  const int choices = 1 + (job.billing ? 4 : 2) * static_cast<int>(all.pools.size());
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

Pools random_pools(Stream& draw, std::size_t count, std::int64_t ticks) {
  Pools all;
  for (std::size_t p = 0; p < count; ++p) {
    PoolWindow pool{
        .name = std::string("r-") + (draw.below(2) ? "1" : "2") + static_cast<char>('a' + p),
        .on_demand = {static_cast<std::int64_t>(2 + draw.below(3)) * 1'000'000'000},
        .spot_price = {static_cast<std::int64_t>(1 + draw.below(3)) * 500'000'000}};
    for (std::int64_t t = 0; t < ticks; ++t) {
      pool.spot.available.push_back(draw.below(3) > 0);
      pool.spot.prices.push_back({static_cast<std::int64_t>(1 + draw.below(20)) * 100'000'000});
    }
    if (draw.below(2)) pool.spot.prices.clear();
    all.pools.push_back(std::move(pool));
  }
  const PoolMove near{.egress = {static_cast<std::int64_t>(draw.below(3)) * 50'000'000},
                      .time = static_cast<std::int64_t>(draw.below(3)) * 2min};
  const PoolMove far{
      .egress = near.egress + Usd{static_cast<std::int64_t>(draw.below(3)) * 50'000'000},
      .time = near.time + static_cast<std::int64_t>(draw.below(3)) * 4min};
  all.moves = moves_between(all.pools, {.between_zones = near, .between_regions = far});
  return all;
}

void expect_equal(const std::optional<Usd>& found, const std::optional<double>& brute, int i) {
  ASSERT_EQ(found.has_value(), brute.has_value()) << i;
  if (found) {
    ASSERT_NEAR(found->dollars(), *brute, 1e-8) << i;
  }
}

TEST(Optimum, OfOnePoolIsTheCheapestOfAllSchedules) {
  Stream draw(1);
  for (int i = 0; i < 60; ++i) {
    constexpr std::int64_t kTicks = 8;
    TickJob job = random_job(draw, kTicks);
    const Pools all = random_pools(draw, 1, kTicks);
    job.on_demand = all.pools[0].on_demand;
    job.spot = all.pools[0].spot_price;
    expect_equal(least_cost(job, all.pools[0].spot), cheapest_of_all(job, all, kTicks), i);
  }
}

TEST(Optimum, OfTwoPoolsIsTheCheapestOfAllSchedules) {
  Stream draw(2);
  for (int i = 0; i < 25; ++i) {
    constexpr std::int64_t kTicks = 6;
    const TickJob job = random_job(draw, kTicks);
    const Pools all = random_pools(draw, 2, kTicks);
    expect_equal(least_cost(job, all), cheapest_of_all(job, all, kTicks), i);
  }
}

TEST(Optimum, OfThreePoolsIsTheCheapestOfAllSchedules) {
  Stream draw(4);
  for (int i = 0; i < 25; ++i) {
    constexpr std::int64_t kTicks = 5;
    const TickJob job = random_job(draw, kTicks);
    const Pools all = random_pools(draw, 3, kTicks);
    expect_equal(least_cost(job, all), cheapest_of_all(job, all, kTicks), i);
  }
}

TEST(Optimum, BilledByTheSecondIsTheCheapestOfAllSchedules) {
  Stream draw(6);
  for (int i = 0; i < 60; ++i) {
    constexpr std::int64_t kTicks = 7;
    TickJob job = random_job(draw, kTicks);
    job.billing = market::Billing::kPerSecond;
    Pools all = random_pools(draw, 1, kTicks);
    expect_equal(least_cost(job, all), cheapest_of_all(job, all, kTicks), i);
  }
  for (int i = 0; i < 40; ++i) {
    constexpr std::int64_t kTicks = 5;
    TickJob job = random_job(draw, kTicks);
    job.billing = market::Billing::kPerSecond;
    const Pools all = random_pools(draw, 2, kTicks);
    expect_equal(least_cost(job, all), cheapest_of_all(job, all, kTicks), i);
  }
}

TEST(Optimum, IsNotThereForBillingByTheHour) {
  Stream draw(7);
  TickJob job = random_job(draw, 8);
  job.billing = market::Billing::kPerHour;
  EXPECT_THROW(least_cost(job, random_pools(draw, 1, 8)), std::invalid_argument);
}

TEST(Optimum, OfEqualPoolsIsThatOfOne) {
  Stream draw(3);
  for (int i = 0; i < 20; ++i) {
    TickJob job = random_job(draw, 60);
    Pools all = random_pools(draw, 1, 60);
    job.on_demand = all.pools[0].on_demand;
    job.spot = all.pools[0].spot_price;
    const auto one = least_cost(job, all.pools[0].spot);
    all.pools.push_back(all.pools[0]);
    all.moves.assign(4, {.egress = {10'000'000}});
    EXPECT_EQ(least_cost(job, all), one);
  }
}

TEST(Optimum, CountsItsTicksOfSpot) {
  TickJob job{.work = 90min,
              .deadline = 2h,
              .changeover = Duration{},
              .tick = 10min,
              .on_demand = {3'000'000'000},
              .spot = {1'000'000'000}};
  Pools all{{{.name = "a", .spot = {{1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0}, {}}}}, {{}}};
  EXPECT_EQ(optimum(job, all)->spot_ticks, 6);
  job.work = 30min;
  EXPECT_EQ(optimum(job, all)->spot_ticks, 3);
  job.spot = job.on_demand;  // whichever: as many of spot as can be
  EXPECT_EQ(optimum(job, all)->spot_ticks, 3);
  job.on_demand = {500'000'000'000'000};  // too much to be counted exactly with the ticks
  EXPECT_FALSE(optimum(job, all)->spot_ticks);
}

// At two prices the cost says it too.
TEST(Optimum, ItsTicksOfSpotAndOnDemandCostWhatItCosts) {
  Stream draw(5);
  for (int i = 0; i < 50; ++i) {
    TickJob job = random_job(draw, 60);
    Pools all = random_pools(draw, 1, 60);
    all.pools[0].spot.prices.clear();
    job.on_demand = all.pools[0].on_demand = {3'060'000'000};
    job.spot = all.pools[0].spot_price = {973'100'000};
    const auto best = optimum(job, all);
    if (!best) continue;
    const double rest = best->cost.dollars() * 6 - 0.9731 * static_cast<double>(*best->spot_ticks);
    EXPECT_NEAR(rest / 3.06, std::round(rest / 3.06), 1e-6) << i;
    EXPECT_GE(rest, -1e-6) << i;
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

TEST(Optimum, RefusesPricesThatDoublesDoNotHoldExactly) {
  TickJob job{.work = 4h, .deadline = 10h, .changeover = 5min, .tick = 10min, .spot = {1}};
  job.on_demand = {150'000'000'000'000};
  EXPECT_NO_THROW(least_cost(job, SpotWindow{}));
  job.on_demand = {151'000'000'000'000};  // 60 ticks at it are more than 2^53
  EXPECT_THROW(least_cost(job, SpotWindow{}), std::length_error);
  job.on_demand = {1};
  EXPECT_THROW(least_cost(job, SpotWindow{{1}, {{151'000'000'000'000}}}), std::length_error);
}

TEST(Optimum, RefusesTicksThatWouldTakeHours) {
  const TickJob job{.work = 100h,
                    .deadline = 24h * 365,
                    .changeover = 1s,
                    .tick = 1s,
                    .on_demand = {3},
                    .spot = {1}};
  EXPECT_THROW(least_cost(job, SpotWindow{}), std::length_error);
}

}  // namespace
}  // namespace sim::sweep
