// Compares the exact programmes with every possible schedule, on small instances.
#include "sim/ticks/optimum.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/kernel/random.h"

namespace sim::ticks {
namespace {

using market::Usd;

// A schedule states the instance held in each tick. 0 is none. 1 to 2 × pools are spot and
// on-demand of each pool in turn. Larger numbers are the same with a new instance.
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

// True if EC2 can be the cause of the end of an instance held over [from, to). Then its pool has no
// spot at `to`, or none at a price that sufficed until then.
bool ends_by_ec2(const Pools& all, int held, std::size_t from, std::size_t to) {
  const SpotWindow& w = all.pools[static_cast<std::size_t>(held - 1) / 2].spot;
  if (held % 2 == 0) return false;
  if (to >= w.available.size() || !w.available[to]) return true;
  Usd most{};
  for (std::size_t t = from; t < to; ++t) most = std::max(most, price_of(all, held, t));
  return price_of(all, held, to) > most;
}

// A job between two instances.
struct Between {
  std::size_t t = 0;  // the tick in which the next instance starts
  Duration kept{};    // of the work
  Duration owed{};    // of the checkpoint of an instance that was left
  std::optional<std::size_t> data;
};

// Runs schedules: each instance with every possible kind of end.
class Scheduled {
 public:
  Scheduled(const TickJob& job, const Pools& all, const Schedule& schedule)
      : job_(job), all_(all), schedule_(schedule) {}

  // The minimum cost from `now` until the work is done. Empty if the work is not done by the end.
  std::optional<double> least(Between now) const {
    while (now.t < schedule_.size() && schedule_[now.t] == 0) ++now.t;
    if (now.t == schedule_.size()) return std::nullopt;
    std::size_t end = now.t;
    while (end < schedule_.size() && schedule_[end] == schedule_[now.t]) ++end;
    const int held = offer_of(all_, schedule_[now.t]);
    const auto pool = static_cast<std::size_t>(held - 1) / 2;
    const PoolMove move = now.data ? all_.move(*now.data, pool) : PoolMove{};
    const Duration idle = job_.changeover + move.time;
    const Duration length = static_cast<std::int64_t>(end - now.t) * job_.tick;
    const bool by_ec2 = ends_by_ec2(all_, held, now.t, end);
    const bool free = by_ec2 && job_.billing && length < 1h;

    std::optional<double> best = done(now, held, idle, end);
    const bool must_be_done = best.has_value();
    const auto go_on = [&](const Between& next, double bill) {
      const auto rest = least(next);
      if (rest && (!best || bill + *rest < *best)) best = bill + *rest;
    };
    Between next{.t = end, .kept = now.kept, .owed = now.owed, .data = now.data};
    if (length >= idle) next.data = pool;
    const Duration runs = std::max(length - idle, Duration{});
    const Duration computes = std::max(runs - now.owed, Duration{});
    next.owed = std::max(now.owed - runs, Duration{});
    const double bill = free ? 0 : bill_of(held, now.t, end);
    if (by_ec2)
      for (const Duration kept : kept_when_taken(now.kept, computes, must_be_done)) {
        next.kept = kept;
        go_on(next, bill);
      }
    if (!gone(held, end) && !must_be_done) {
      next.kept = now.kept + computes;
      if (computes > Duration{}) next.owed = job_.checkpoint_cost;
      go_on(next, bill_of(held, now.t, end));
    }
    if (!best) return best;
    return *best + move.egress.dollars();
  }

 private:
  bool gone(int held, std::size_t t) const {
    if (held % 2 == 0) return false;
    const SpotWindow& w = all_.pools[static_cast<std::size_t>(held - 1) / 2].spot;
    return t >= w.available.size() || !w.available[t];
  }

  double tick_of(int held, std::size_t t) const {
    return price_of(all_, held, t).dollars() * seconds(job_.tick) / 3600;
  }

  double bill_of(int held, std::size_t from, std::size_t to) const {
    double bill = 0;
    for (std::size_t t = from; t < to; ++t) bill += tick_of(held, t);
    return bill;
  }

  // The cost of the instance on which the work is completed.
  std::optional<double> done(const Between& now, int held, Duration idle, std::size_t end) const {
    for (std::size_t t = now.t; t < end; ++t) {
      const Duration worked =
          static_cast<std::int64_t>(t + 1 - now.t) * job_.tick - idle - now.owed;
      const Duration surplus = now.kept + worked - job_.work;
      if (surplus < Duration{}) continue;
      const double whole = job_.billing ? 1 - seconds(surplus) / seconds(job_.tick) : 1;
      return bill_of(held, now.t, t) + tick_of(held, t) * whole;
    }
    return std::nullopt;
  }

  // The possible kept work of an instance that EC2 interrupts: all but one checkpoint. If the work
  // would be done then, all but several checkpoints, or the work until a notice.
  std::vector<Duration> kept_when_taken(Duration before, Duration computes, bool done) const {
    const Duration cost = job_.checkpoint_cost;
    if (!done) return {before + std::max(computes - cost, Duration{})};
    const bool stops = !job_.checkpoint_policy.empty() && job_.notice > Duration{};
    std::vector<Duration> all;
    for (int saves = 1;; ++saves) {
      const Duration after = before + computes - saves * cost;
      if (computes < saves * cost || after < job_.work)
        all.push_back(std::max(before, after));
      else if (stops && after - job_.work <= job_.notice)
        all.push_back(job_.work);  // without one instant
      if (cost == Duration{} || computes < saves * cost) return all;
    }
  }

  const TickJob& job_;
  const Pools& all_;
  const Schedule& schedule_;
};

std::optional<double> cheapest_of_all(const TickJob& job, const Pools& all, std::size_t ticks) {
  const bool anew = job.billing || job.checkpoint_cost > Duration{};
  const int choices = 1 + (anew ? 4 : 2) * static_cast<int>(all.pools.size());
  Schedule schedule(ticks, 0);
  std::optional<double> best;
  for (;;) {
    if (possible(all, schedule)) {
      const auto cost = Scheduled(job, all, schedule).least({});
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
    constexpr std::int64_t kTicks = 6;
    TickJob job = random_job(draw, kTicks);
    const Pools all = random_pools(draw, 1, kTicks);
    job.on_demand = all.pools[0].on_demand;
    job.spot = all.pools[0].spot_price;
    expect_equal(least_cost(job, all.pools[0].spot), cheapest_of_all(job, all, kTicks), i);
  }
}

TEST(Optimum, OfTwoPoolsIsTheCheapestOfAllSchedules) {
  Stream draw(2);
  for (int i = 0; i < 40; ++i) {
    constexpr std::int64_t kTicks = 4;
    const TickJob job = random_job(draw, kTicks);
    const Pools all = random_pools(draw, 2, kTicks);
    expect_equal(least_cost(job, all), cheapest_of_all(job, all, kTicks), i);
  }
}

TEST(Optimum, OfThreePoolsIsTheCheapestOfAllSchedules) {
  Stream draw(4);
  for (int i = 0; i < 20; ++i) {
    constexpr std::int64_t kTicks = 4;
    const TickJob job = random_job(draw, kTicks);
    const Pools all = random_pools(draw, 3, kTicks);
    expect_equal(least_cost(job, all), cheapest_of_all(job, all, kTicks), i);
  }
}

TEST(Optimum, BilledByTheSecondIsTheCheapestOfAllSchedules) {
  Stream draw(6);
  for (int i = 0; i < 250; ++i) {
    const std::size_t pools = i % 5 == 4 ? 2 : 1;
    const std::int64_t ticks = pools == 2 ? 4 : 6;
    TickJob job = random_job(draw, ticks);
    job.billing = market::Billing::kPerSecond;
    if (i % 2)
      job.checkpoint_policy = "on-notice", job.work = std::max(job.work / 10min, 1L) * 10min;
    if (i % 4 == 3) job.notice = 4min;
    const Pools all = random_pools(draw, pools, ticks);
    expect_equal(least_cost(job, all), cheapest_of_all(job, all, ticks), i);
  }
}

// Rents by a schedule in one pool. It bids the minimum that keeps an instance until the schedule
// ends it, or more than any price.
struct Script final : policies::Strategy {
  Script(const Schedule& schedule, const Pools& in) : held(schedule), all(in) {}
  void begin(const policies::AcquisitionJob&, std::size_t, std::chrono::nanoseconds) override {}
  policies::Placement decide(const policies::MarketState& state) override {
    const auto t = static_cast<std::size_t>(state.job.tick);
    if (t >= held.size() || held[t] == 0) return {};
    double bid = 100;
    if (bids_little && held[t] % 2 == 1) {
      Usd most{};
      for (std::size_t i = t; i < held.size() && held[i] == held[t]; ++i)
        if (i < all.pools[0].spot.available.size()) most = std::max(most, price_of(all, 1, i));
      bid = most.dollars();
    }
    return {.rental = held[t] % 2 == 1 ? policies::Rental::kSpot : policies::Rental::kOnDemand,
            .bid = bid,
            .anew = t > 0 && held[t] != held[t - 1]};
  }
  const Schedule& held;
  const Pools& all;
  bool bids_little = false;
};

// The least cost by the simulator: every schedule with the savers that there are.
std::optional<Usd> cheapest_run(TickJob job, const Pools& all, std::int64_t ticks) {
  std::vector<const char*> savers{"oracle", "steps:1", "steps:2", "time:6m", "oracle,time:6m"};
  if (job.checkpoint_cost == Duration{}) savers = {""};
  std::optional<Usd> best;
  for (const char* saver : savers) {
    job.checkpoint_policy = saver;
    Schedule schedule(static_cast<std::size_t>(ticks), 0);
    for (std::size_t t = 0; t < schedule.size();) {
      Script script(schedule, all);
      for (const bool bids_little : {false, true}) {
        script.bids_little = bids_little;
        const TickOutcome out = run_pools(job, all, script, false);
        const bool in_time = out.finished && out.ticks * job.tick <= job.deadline;
        if (in_time && (!best || out.cost < *best)) best = out.cost;
      }
      for (t = 0; t < schedule.size() && ++schedule[t] == 5; ++t) schedule[t] = 0;
    }
  }
  return best;
}

// If nothing needs saving, the simulator's cheapest run costs exactly the same.
TEST(Optimum, BilledByTheSecondIsBelowEveryRunOfTheSimulator) {
  Stream draw(16);
  int equal = 0, saving = 0;
  for (int i = 0; i < 60; ++i) {
    constexpr std::int64_t kTicks = 5;
    TickJob job = random_job(draw, kTicks);
    job.billing = market::Billing::kPerSecond;
    job.step = 2min;
    job.notice = i % 4 ? Duration{} : 2min;
    Pools all = random_pools(draw, 1, kTicks);
    const auto run = cheapest_run(job, all, kTicks);
    if (job.checkpoint_cost > Duration{}) job.checkpoint_policy = "oracle";
    const auto found = least_cost(job, all);
    ASSERT_LE(run.has_value(), found.has_value()) << i;
    if (!run) continue;
    if (job.checkpoint_cost == Duration{}) {
      EXPECT_EQ(*found, *run) << i;
    } else {
      EXPECT_LE(*found, *run) << i;
      ++saving, equal += *found == *run;
    }
  }
  EXPECT_GT(equal * 10, saving * 7) << equal << " of " << saving;
}

TEST(Optimum, RefusesBillingByTheHour) {
  Stream draw(7);
  TickJob job = random_job(draw, 8);
  job.billing = market::Billing::kPerHour;
  EXPECT_THROW(least_cost(job, random_pools(draw, 1, 8)), std::invalid_argument);
}

TEST(Optimum, OfEqualPoolsIsTheOptimumOfOnePool) {
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
  job.spot = job.on_demand;  // equal prices: the result has as many ticks of spot as possible
  EXPECT_EQ(optimum(job, all)->spot_ticks, 3);
  job.on_demand = {500'000'000'000'000};  // too high to be counted exactly with the ticks
  EXPECT_FALSE(optimum(job, all)->spot_ticks);
}

// With two different prices, the cost determines the ticks of each.
TEST(Optimum, TicksOfSpotAndOnDemandAddUpToTheCost) {
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

TEST(Optimum, RefusesPricesThatDoublesCannotRepresent) {
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
}  // namespace sim::ticks
