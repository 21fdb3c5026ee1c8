#include "sim/ticks/pools.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "sim/kernel/random.h"
#include "sim/ticks/kinds_for_test.h"
#include "sim/ticks/optimum.h"
#include "sim/ticks/pools_for_test.h"

namespace sim::ticks {
namespace {

using market::Usd;
using policies::MarketState;
using policies::Placement;
using policies::Rental;

const TickJob kPoolJob{.work = 1h,
                       .deadline = 3h,
                       .changeover = 10min,
                       .tick = 10min,
                       .on_demand = {3'000'000'000},
                       .spot = {600'000'000}};

TEST(PoolRun, HopsToAnotherZoneAndPaysForTheDatasMove) {
  const Pools all =
      pools({pool("us-east-1a", "1110000000000", 50), pool("us-east-1b", "1111111111111", 60)},
            {.between_zones = {.egress = {250'000'000}, .time = 5min}});
  const TickOutcome out = run_strategy(kPoolJob, all, "spot-only+lowest-price");
  EXPECT_TRUE(out.finished);
  EXPECT_EQ(out.interruptions, 1);
  EXPECT_EQ(out.launches, 2);
  EXPECT_EQ(out.changeover, 10min + 15min);
  EXPECT_EQ(out.egress, (Usd{250'000'000}));
  // Three ticks at 50 cents an hour, six (15 minutes and the other 40) at 60.
  EXPECT_EQ(out.cost, (Usd{250'000'000 + 250'000'000 + 600'000'000}));
}

TEST(PoolRun, PriceAboveTheBidTakesTheInstance) {
  PoolWindow p = pool("a", "1111111111111");
  for (int t = 0; t < 13; ++t) p.spot.prices.push_back({t == 4 ? 2'000'000'000 : 1'000'000'000});
  const TickOutcome low = run_strategy(kPoolJob, pools({p}), "spot-only+bid-share:0.5");
  EXPECT_EQ(low.interruptions, 1);
  EXPECT_EQ(low.ticks, 9);
  EXPECT_EQ(run_strategy(kPoolJob, pools({p}), "spot-only").interruptions,
            0);  // 2 is below on-demand's 3
  EXPECT_EQ(run_strategy(kPoolJob, pools({p}), "spot-only+bid-fixed:0.9").launches, 0);
  EXPECT_EQ(run_strategy(kPoolJob, pools({p}), "spot-only+bid-above:0.5").interruptions, 1);
  EXPECT_EQ(run_strategy(kPoolJob, pools({p}), "spot-only+bid-quantile:0.5").interruptions, 1);
}

// The choice of each pool rule: a is cheap and seldom available, b has most capacity, c is
// expensive.
TEST(PoolRun, PoolRulesChooseByTheirMeasure) {
  const Pools all =
      pools({pool("a", "0001001", 20), pool("b", "4444444", 60), pool("c", "3333333", 90)});
  struct Watch final : policies::Strategy {
    explicit Watch(std::string_view text) : named(policies::make_strategy(text)) {}
    void begin(const policies::AcquisitionJob& job, std::size_t n, Duration longest) override {
      named.strategy->begin(job, n, longest);
    }
    Placement decide(const MarketState& state) override {
      const Placement p = named.strategy->decide(state);
      where += p.rental == Rental::kSpot ? static_cast<char>('a' + p.pool) : '-';
      return p;
    }
    policies::NamedStrategy named;
    std::string where;
  };
  TickJob job = kPoolJob;
  job.work = 70min;
  job.changeover = 0min;
  const auto where = [&](std::string_view rule) {
    Watch watch("spot-only+" + std::string(rule));
    run_pools(job, all, watch, false);
    return watch.where;
  };
  EXPECT_EQ(where("first-pool"), "---a--a------------");
  EXPECT_EQ(where("lowest-price"), "bbbbbbb");
  EXPECT_EQ(where("hop-for-price:0.5"), "bbbabba");
  EXPECT_EQ(where("capacity-optimized"), "bbbbbbb");
  EXPECT_EQ(where("most-available"), "bbbbbbb");
  EXPECT_EQ(where("round-robin"), "bbbbbbb");
}

// Pool a is interrupted at tick 3, and all pools have capacity again at tick 4.
TEST(PoolRun, RulesAfterAnInterruptionDiffer) {
  const auto second = [](const Pools& all, std::string_view text) {
    const auto named = policies::make_strategy(text);
    struct Second final : policies::Strategy {
      explicit Second(policies::Strategy& s) : inner(s) {}
      void begin(const policies::AcquisitionJob& job, std::size_t n, Duration longest) override {
        inner.begin(job, n, longest);
      }
      Placement decide(const MarketState& state) override {
        const Placement p = inner.decide(state);
        if (state.job.tick == 4) found = p.pool;
        return p;
      }
      policies::Strategy& inner;
      std::optional<std::size_t> found;
    } watch(*named.strategy);
    run_pools(kPoolJob, all, watch, false);
    return watch.found.value_or(99);
  };

  const Pools all = pools({pool("a", "1110111", 20), pool("b", "0060666", 60),
                           pool("c", "0050555", 30), pool("d", "0110111", 40)});
  EXPECT_EQ(second(all, "spot-only+lowest-price"), 0u);
  EXPECT_EQ(second(all, "spot-only+leave-interrupted"), 2u);
  EXPECT_EQ(second(all, "spot-only+round-robin"), 1u);
  EXPECT_EQ(second(all, "spot-only+diversified"), 2u);
  EXPECT_EQ(second(all, "spot-only+capacity-optimized"), 1u);
  EXPECT_EQ(second(all, "spot-only+capacity-optimized-prioritized"), 1u);
  EXPECT_EQ(second(all, "spot-only+price-capacity-optimized"), 2u);
  EXPECT_EQ(second(all, "spot-only+most-available"), 0u);
  EXPECT_EQ(second(all, "spot-only+most-available-per-price"), 0u);
}

TEST(PoolRun, StrategiesReportTheirErrors) {
  const auto complaint = [](std::string_view text) -> std::string {
    try {
      policies::make_strategy(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(complaint("greedy+cheapest").find("strategy part 'cheapest': is unknown; "), 0u);
  EXPECT_NE(complaint("greedy+lowest-price+first-pool").find("second pool rule"),
            std::string::npos);
  EXPECT_NE(complaint("greedy+bid-fixed").find("'bid-fixed': needs an argument"),
            std::string::npos);
  EXPECT_NE(complaint("greedy+bid-fixed:-1").find("expected US dollars"), std::string::npos);
  EXPECT_NE(complaint("utility:0.1+lowest-price").find("takes no rules"), std::string::npos);
  EXPECT_NE(complaint("greedy+").find("is empty"), std::string::npos);
  EXPECT_EQ(complaint("").find("acquisition policy ''"), 0u);
}

// Acts at random, independently of the market.
class RandomStrategy final : public policies::Strategy {
 public:
  explicit RandomStrategy(std::uint64_t key) : draw_(key) {}
  void begin(const policies::AcquisitionJob&, std::size_t pools, Duration) override {
    pools_ = pools;
  }
  Placement decide(const MarketState& state) override {
    EXPECT_EQ(state.job.tick, next_++);
    if (draw_.below(6) == 0) {
      wish_ = {.rental = static_cast<Rental>(draw_.below(3)),
               .pool = draw_.below(pools_),
               .bid = 3 * draw_.uniform()};
    }
    return wish_;
  }

 private:
  Stream draw_;
  Placement wish_;
  std::size_t pools_ = 0;
  std::int64_t next_ = 0;
};

PoolWindow random_pool(Stream& draw, std::size_t index) {
  PoolWindow p{.name = "r-" + std::to_string(draw.below(2)) + static_cast<char>('a' + index),
               .on_demand = {static_cast<std::int64_t>(2 + draw.below(3)) * 1'000'000'000},
               .spot_price = {static_cast<std::int64_t>(draw.below(4)) * 500'000'000}};
  p.spot = drawn_window(draw, 400, 4, 3'000, {1'000'000});
  if (draw.below(2)) p.spot.prices.clear();
  return p;
}

Pools random_pools(Stream& draw) {
  std::vector<PoolWindow> all;
  for (std::size_t n = 1 + draw.below(4), i = 0; i < n; ++i) all.push_back(random_pool(draw, i));
  const PoolMove near{.egress = {static_cast<std::int64_t>(draw.below(3)) * 50'000'000},
                      .time = static_cast<std::int64_t>(draw.below(3)) * 2min};
  return pools(std::move(all),
               {.between_zones = near,
                .between_regions = {near.egress + Usd{100'000'000}, near.time + 6min}});
}

TickJob random_pool_job(Stream& draw) {
  TickJob job = kPoolJob;
  job.work = 1min * static_cast<std::int64_t>(1 + draw.below(2'000));
  job.deadline = job.work + 1min * static_cast<std::int64_t>(draw.below(1'500));
  job.changeover = 1min * static_cast<std::int64_t>(draw.below(25));
  job.tick = 2min * static_cast<std::int64_t>(1 + draw.below(10));
  if (draw.below(2)) {
    job.checkpoint_interval = 1min * static_cast<std::int64_t>(1 + draw.below(100));
    job.checkpoint_cost = 1min * static_cast<std::int64_t>(draw.below(5));
  }
  return job;
}

void expect_ledgers_add_up(const TickJob& job, const Pools& all, const TickOutcome& out) {
  const Duration billed = (out.on_demand_ticks + out.spot_ticks) * job.tick;
  EXPECT_EQ(out.on_demand_work + out.spot_work + out.changeover + out.checkpoint + out.surplus,
            billed);
  const Duration kept = out.on_demand_work + out.spot_work - out.lost;
  EXPECT_EQ(out.finished, kept >= job.work - 1ms);
  EXPECT_GE(kept, Duration::zero());
  EXPECT_LE(kept, job.work);
  EXPECT_LE(out.on_demand_ticks + out.spot_ticks, out.ticks);
  EXPECT_LE(out.interruptions, out.launches);
  Usd dearest{}, cheapest_on_demand{INT64_MAX}, most_egress{};
  for (const PoolWindow& p : all.pools) {
    cheapest_on_demand = std::min(cheapest_on_demand, on_demand_price(p, job));
    dearest = std::max(dearest, on_demand_price(p, job));
    for (std::size_t t = 0; t < p.spot.available.size(); ++t)
      dearest = std::max(dearest, spot_price(p, job, t));
  }
  for (const PoolMove& m : all.moves) most_egress = std::max(most_egress, m.egress);
  const Usd on_demand = market::charge(cheapest_on_demand, out.on_demand_ticks * job.tick);
  EXPECT_GE(out.cost.nano + 1, (on_demand + out.egress).nano);
  EXPECT_LE(out.cost.nano - 1, (market::charge(dearest, billed) + out.egress).nano);
  EXPECT_LE(out.egress.nano, out.launches * most_egress.nano);
}

TEST(PoolRun, LedgersAddUpForRandomStrategiesOnRandomPools) {
  Stream draw(21);
  int finished = 0, moved = 0;
  for (int i = 0; i < 1000; ++i) {
    const TickJob job = random_pool_job(draw);
    const Pools all = random_pools(draw);
    RandomStrategy strategy(static_cast<std::uint64_t>(i));
    const TickOutcome out = run_pools(job, all, strategy, false);
    expect_ledgers_add_up(job, all, out);
    finished += out.finished;
    moved += out.egress.nano > 0;
    if (HasFailure()) FAIL() << i;
  }
  EXPECT_GT(finished, 150);
  EXPECT_GT(moved, 100);
}

TEST(PoolRun, LedgersAddUpForEveryStrategyAndDeadlinesHold) {
  Stream draw(22);
  const auto strategies = all_strategies();
  for (int i = 0; i < 25; ++i) {
    TickJob job = random_pool_job(draw);
    const Pools all = random_pools(draw);
    // Time for a changeover at each end, and nothing is lost.
    job.checkpoint_interval = job.checkpoint_cost = Duration::zero();
    job.deadline = job.work + 3 * (job.changeover + all.longest_move() + job.tick);
    for (const std::string& text : strategies) {
      const TickOutcome out = run_strategy(job, all, text);
      expect_ledgers_add_up(job, all, out);
      if (!heeds_deadline(text)) continue;
      EXPECT_TRUE(out.finished) << text << " in " << i;
      EXPECT_LE(out.ticks * job.tick, job.deadline) << text << " in " << i;
    }
    if (HasFailure()) FAIL() << i;
  }
}

TEST(PoolRun, OverOnePoolEqualsTheRunOverItsWindow) {
  Stream draw(23);
  for (int i = 0; i < 100; ++i) {
    const TickJob job = random_pool_job(draw);
    PoolWindow one = random_pool(draw, 0);
    one.on_demand = one.spot_price = {};
    for (Usd& price : one.spot.prices) price.nano = std::min(price.nano, job.on_demand.nano);
    for (const auto& kind : policies::acquisition_policy_kinds()) {
      const auto named = policies::make_acquisition_policy(written(kind));
      EXPECT_EQ(run_strategy(job, pools({one}), written(kind)),
                run_ticks(job, one.spot, *named.policy, named.oracle))
          << kind.name << " in " << i;
    }
  }
}

// If spot is always available, an instance is kept: one launch, no waiting, and the least cost.
TEST(PoolRun, UtilityKeepsAnInstanceWhereSpotIsAlwaysThere) {
  const std::string always(600, '1');
  for (const Duration deadline : {31h, 33h, 40h, 60h, 100h})
    for (const std::int64_t cents : {1, 30, 97, 200, 299})
      for (const char* text : {"utility:0.001", "utility:0.05", "utility:0.5"}) {
        const TickJob job{.work = 30h,
                          .deadline = deadline,
                          .changeover = 12min,
                          .tick = 10min,
                          .on_demand = {3'060'000'000},
                          .spot = {cents * 10'000'000}};
        const Pools all = pools({pool("us-east-1a", always), pool("us-east-1b", always)},
                                {.between_zones = {.egress = {10'000'000}, .time = 1min}});
        const TickOutcome out = run_strategy(job, all, text);
        EXPECT_EQ(out.launches, 1) << text << " " << cents;
        EXPECT_EQ(out.on_demand_ticks, 0) << text << " " << cents;
        EXPECT_EQ(out.ticks, out.spot_ticks) << text << " " << cents;
        EXPECT_EQ(out.cost, *least_cost(job, all)) << text << " " << cents;
      }
}

struct Recorder final : policies::Strategy {
  explicit Recorder(policies::Strategy& s) : inner(s) {}
  void begin(const policies::AcquisitionJob& job, std::size_t n, Duration longest) override {
    inner.begin(job, n, longest);
  }
  Placement decide(const MarketState& state) override {
    decisions.push_back(inner.decide(state));
    return decisions.back();
  }
  policies::Strategy& inner;
  std::vector<Placement> decisions;
};

// The same past, followed by other capacity and prices.
Pools with_another_future(const Pools& all, std::size_t cut, Stream& draw) {
  Pools other = all;
  for (std::size_t p = 0; p < all.pools.size(); ++p) {
    SpotWindow& spot = other.pools[p].spot;
    const std::size_t kept = std::min(cut, spot.available.size());
    spot.available.resize(kept);
    spot.prices.resize(std::min(cut, spot.prices.size()));
    // A pool that had ended by then stays ended.
    if (kept < cut) continue;
    const bool priced = !all.pools[p].spot.prices.empty();
    for (std::uint64_t t = draw.below(300); t > 0; --t) {
      spot.available.push_back(static_cast<std::uint8_t>(draw.below(3)));
      if (priced) spot.prices.push_back({static_cast<std::int64_t>(draw.below(4'000)) * 1'000'000});
    }
  }
  return other;
}

TEST(PoolRun, AnOracleKnowsHowLongSpotLastsForABid) {
  struct Spy final : policies::Strategy {
    void begin(const policies::AcquisitionJob&, std::size_t, Duration) override {}
    Placement decide(const MarketState& state) override {
      if (!state.future) return {};
      for (const double bid : {0.5, 1.0, 3.0}) seen.push_back(state.future->lifetime(0, bid));
      return {};
    }
    std::vector<Duration> seen;
  };
  PoolWindow p = pool("a", "11110");
  for (const int cents : {50, 90, 120, 70, 10}) p.spot.prices.push_back({cents * 10'000'000});
  Spy told, untold;
  run_pools(kPoolJob, pools({p}), told, true);
  run_pools(kPoolJob, pools({p}), untold, false);
  ASSERT_GE(told.seen.size(), 6u);
  told.seen.resize(6);
  EXPECT_EQ(told.seen, (std::vector<Duration>{10min, 20min, 40min, 0min, 10min, 30min}));
  EXPECT_TRUE(untold.seen.empty());
}

TEST(PoolRun, AnOracleSkipsCapacityThatItsBidCannotKeep) {
  // Available for two hours and expensive after ten minutes, which the changeover takes.
  PoolWindow p = pool("a", "111111111111");
  for (int t = 0; t < 12; ++t) p.spot.prices.push_back({t == 0 ? 500'000'000 : 2'000'000'000});
  const std::string bid = "+first-pool+bid-share:0.5";
  EXPECT_EQ(run_strategy(kPoolJob, pools({p}), "uniform-progress-oracle" + bid).interruptions, 0);
  EXPECT_EQ(run_strategy(kPoolJob, pools({p}), "uniform-progress" + bid).interruptions, 1);
}

TEST(PoolRun, NoStrategyButAnOracleDependsOnTheFuture) {
  Stream draw(24);
  bool oracle_differed = false;
  for (int i = 0; i < 40; ++i) {
    const TickJob job = random_pool_job(draw);
    const Pools all = random_pools(draw);
    const std::size_t cut = draw.below(200);
    const Pools other = with_another_future(all, cut, draw);
    for (const std::string& text : all_strategies()) {
      const auto named = policies::make_strategy(text);
      Recorder one(*named.strategy), two(*named.strategy);
      run_pools(job, all, one, named.oracle);
      run_pools(job, other, two, named.oracle);
      const auto n =
          static_cast<std::ptrdiff_t>(std::min({cut, one.decisions.size(), two.decisions.size()}));
      const bool same =
          std::equal(one.decisions.begin(), one.decisions.begin() + n, two.decisions.begin());
      if (named.oracle)
        oracle_differed |= !same;
      else
        EXPECT_TRUE(same) << text << " in " << i;
    }
  }
  EXPECT_TRUE(oracle_differed);  // the test is sensitive enough
}

TEST(PoolRun, OptimumIsBelowEveryStrategyThatMeetsTheDeadline) {
  Stream draw(25);
  int compared = 0;
  for (int i = 0; i < 60; ++i) {
    TickJob job = random_pool_job(draw);
    if (i % 2) job.billing = market::Billing::kPerSecond;
    if (i % 4 == 3) {
      constexpr const char* kSavers[]{"time:7m", "steps:3,on-notice", "oracle", "time:20m", "none"};
      job.checkpoint_policy = kSavers[draw.below(std::size(kSavers))];
      job.checkpoint_cost = 1min * static_cast<std::int64_t>(draw.below(5));
      job.notice = 1min * static_cast<std::int64_t>(draw.below(4));
    }
    const Pools all = random_pools(draw);
    const auto optimum = least_cost(job, all);
    const auto compare = [&](const TickOutcome& out, std::string_view name) {
      if (!out.finished || out.ticks * job.tick > job.deadline) return;
      ++compared;
      ASSERT_TRUE(optimum) << name;
      EXPECT_LE(optimum->nano, out.cost.nano + 1) << name << " in " << i;  // rounded twice
    };
    for (const std::string& text : all_strategies()) compare(run_strategy(job, all, text), text);
    for (std::uint64_t k = 0; k < 20; ++k) {
      RandomStrategy strategy(k);
      compare(run_pools(job, all, strategy, false), "random");
    }
  }
  EXPECT_GT(compared, 2000);
}

}  // namespace
}  // namespace sim::ticks
