// `spotrun submit --strategy` in whole runs, whatever capacity does.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>

#include "policies/acquisition/strategy.h"
#include "sim/run/fiber_run_for_test.h"
#include "sim/ticks/pools.h"

namespace sim::run {
namespace {

constexpr Duration kDeadline = 4h;  // of scenarios/deadline.yaml, from the submit

// Zones get and lose capacity at random. Running instances of a zone that loses capacity get their
// notice.
std::vector<scenario::CapacityChange> random_capacity(std::uint32_t seed, Duration limit) {
  std::mt19937 random(seed);
  const std::chrono::minutes mean(15 + 15 * (seed % 6));
  std::vector<scenario::CapacityChange> steps;
  for (const char* zone : {"us-west-2a", "us-west-2b", "us-west-2c"}) {
    bool there = random() % 2 == 0;
    for (Duration at{}; at < limit; there = !there) {
      steps.push_back({.pool = {"p3.2xlarge", zone}, .after = at, .slots = there, .reclaim = true});
      at += std::chrono::seconds(1 + random() % (2 * std::chrono::seconds(mean).count()));
    }
  }
  return steps;
}

// The instances that the strategy rented, according to the log.
struct Rentals {
  std::optional<Time> submitted, done;
  int ended_early = 0;             // by EC2, or by the operator
  std::size_t most_running = 0;    // at the same time
  Duration longest_replacement{};  // longest time with both an instance and its replacement

  explicit Rentals(const Played& played) {
    std::map<std::string, Time> live;  // pending and running, by ID, since when
    std::map<std::string, bool> running;
    for (const std::string& line : played.lines) {
      const Event event = parse_event(line);
      if (event.kind == "tags.created") {
        if (event.fields["tags"].contains("spotrun:strategy-since") && !submitted)
          submitted = event.time;
        if (event.fields["tags"].contains("spotrun:done")) done = event.time;
      }
      if (event.kind != "instance.state" || !submitted) continue;
      const std::string id = event.fields["instance_id"], to = event.fields["to"];
      if (to == "pending") {
        live[id] = event.time;
      } else if (to == "running" && live.contains(id)) {
        running[id] = true;
        most_running = std::max(most_running, running.size());
      } else if (live.contains(id)) {
        for (const auto& [other, since] : live)
          if (since > live[id])
            longest_replacement = std::max(longest_replacement, event.time - since);
        live.erase(id);
        running.erase(id);
        ended_early += !done;
      }
    }
    EXPECT_TRUE(live.empty());
  }
};

class Driven : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(FiberStrategy, Driven,
                         testing::Values("greedy+lowest-price", "uniform-progress+round-robin",
                                         "utility:0.05",
                                         "uniform-progress+hop-for-price:0.1+bid-share:0.5"),
                         [](const auto& strategy) {
                           std::string name = strategy.param;
                           std::erase_if(name, [](char c) { return c < 'a' || c > 'z'; });
                           return name;
                         });

TEST_P(Driven, KeepsTheDeadlineWithOneInstanceAtATime) {
  int ended_early = 0;
  for (std::uint32_t seed = 0; seed < 16; ++seed) {
    scenario::Scenario scenario =
        changed("deadline", "uniform-progress+lowest-price+bid-share:0.6", GetParam());
    scenario.seed = seed;
    scenario.capacity = random_capacity(seed, scenario.limit);
    const Played played = play(scenario);
    const Rentals rentals(played);
    ASSERT_TRUE(rentals.submitted && rentals.done) << seed;
    EXPECT_LE(*rentals.done - *rentals.submitted, kDeadline) << seed;
    EXPECT_LE(rentals.most_running, 1u) << seed;
    EXPECT_LT(rentals.longest_replacement, 1s) << seed;
    EXPECT_LE(played.report.result->lost_steps, 2) << seed;
    ended_early += rentals.ended_early;
  }
  EXPECT_GT(ended_early, 16);
}

// Prices and capacity change shortly before a tick, for the tick model of sweeps and for the cloud
// alike.
struct TwoWorlds {
  static constexpr Duration kTick = 5min;
  static constexpr std::size_t kTicks = 96;
  static constexpr const char* kZones[] = {"us-west-2a", "us-west-2b", "us-west-2c"};

  explicit TwoWorlds(std::uint32_t seed) {
    std::mt19937 random(seed);
    for (std::size_t z = 0; z < 3; ++z) {
      ticks::PoolWindow pool{.name = kZones[z],
                             .on_demand = {3'060'000'000},
                             .spot_price = {static_cast<std::int64_t>(10 + z) * 100'000'000}};
      // The volume is in us-west-2b, where the first instance ran.
      bool there = z == 1;
      for (std::size_t t = 0; t < kTicks; ++t) {
        if (t > 3 && random() % ((there ? 4 : 8) + seed % 12) == 0) there = !there;
        pool.spot.available.push_back(there);
      }
      pools.pools.push_back(std::move(pool));
    }
    pools.moves = ticks::moves_between(pools.pools, {.between_zones = {.time = 3min}});
  }

  ticks::TickOutcome in_ticks(const std::string& strategy) const {
    const ticks::TickJob job{.work = 125min,
                             .deadline = 3h,
                             .changeover = 90s,
                             .tick = kTick,
                             .on_demand = {3'060'000'000},
                             .spot = {1'000'000'000}};
    const auto named = policies::make_strategy(strategy);
    return ticks::run_pools(job, pools, *named.strategy, named.oracle);
  }

  scenario::Scenario in_the_cloud(const std::string& strategy,
                                  std::optional<Time> submitted) const {
    scenario::Scenario scenario =
        changed("deadline",
                "uniform-progress+lowest-price+bid-share:0.6 \\\n"
                "      --work 2h10m --deadline 4h --tick 5m --changeover 5m --move 5m",
                strategy + " --work 2h5m --deadline 3h3m30s --tick 5m --changeover 90s --move 3m");
    scenario.cloud.durations.interruption_notice = 40s;
    scenario.capacity.clear();
    for (const ticks::PoolWindow& pool : pools.pools) {
      const market::Pool name{"p3.2xlarge", pool.name};
      scenario.prices.pools[name] = {{scenario.start, pool.spot_price}};
      for (std::size_t t = 0; submitted && t < kTicks; ++t) {
        const Duration at = *submitted - scenario.start + static_cast<std::int64_t>(t) * kTick;
        scenario.capacity.push_back(
            {.pool = name, .after = at - 50s, .slots = pool.spot.available[t], .reclaim = true});
      }
    }
    return scenario;
  }

  ticks::Pools pools;
};

// A sweep predicts what the orchestrator rents, how often and for how long. Its deadline is earlier
// by the longest delay of a decision. The prediction is right within one and a half ticks a run,
// because a sweep counts whole ticks. Single runs may differ more, if one tick decides.
TEST(FiberStrategy, ComesOutAsInASweep) {
  constexpr std::uint32_t kSeeds = 12;
  for (const std::string strategy :
       {"greedy+lowest-price", "uniform-progress+lowest-price", "uniform-progress+round-robin",
        "time-sliced:4+leave-interrupted", "fallback-failures:3+diversified"}) {
    std::map<std::string, double> said, found;  // sums over the seeds, times in ticks
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
      const TwoWorlds worlds(seed);
      const ticks::TickOutcome out = worlds.in_ticks(strategy);
      said["until done"] += static_cast<double>(out.ticks);
      said["spot"] += static_cast<double>(out.spot_ticks);
      said["on-demand"] += static_cast<double>(out.on_demand_ticks);
      said["launches"] += static_cast<double>(out.launches);
      const Time submitted = *Rentals(play(worlds.in_the_cloud(strategy, {}))).submitted;
      const Played played = play(worlds.in_the_cloud(strategy, submitted));
      const auto in_ticks = [](Duration d) { return seconds(d) / seconds(TwoWorlds::kTick); };
      found["until done"] += in_ticks(*Rentals(played).done - submitted);
      for (const result::Attempt& attempt : played.report.result->attempts) {
        found[attempt.lifecycle] += in_ticks(*attempt.ended_at - attempt.launched_at);
        ++found["launches"];
      }
    }
    for (const auto& [what, sum] : said)
      EXPECT_NEAR(found[what], sum, 1.5 * kSeeds) << strategy << ", " << what;
    EXPECT_GT(said["launches"], 3 * kSeeds) << strategy;
    EXPECT_GT(said["on-demand"], 3 * kSeeds) << strategy;
  }
}

}  // namespace
}  // namespace sim::run
