// SkyNomad's strategies against the transcription of its simulator, window by window.
#include <gtest/gtest.h>

#include <cmath>

#include "policies/acquisition/strategy.h"
#include "sim/kernel/random.h"
#include "sim/ticks/pools_for_test.h"
#include "tests/agreement/skynomad_loop.h"

namespace sim::agreement {
namespace {

constexpr const char* kTranscribed[] = {"skynomad-up",    "skynomad-up-s", "skynomad-up-a",
                                        "skynomad-up-ap", "skynomad",      "skynomad-v100"};

// Jobs whose progress is often exactly on a line, and others.
ticks::TickJob drawn_sky_job(Stream& draw) {
  const auto minutes = [&](std::uint64_t least, std::uint64_t most) {
    return Duration(1min) * static_cast<std::int64_t>(least + draw.below(most - least));
  };
  ticks::TickJob job{.deadline = minutes(300, 3000),
                     .changeover = draw.below(4) == 0 ? Duration{} : minutes(1, 40),
                     .tick = minutes(5, 20),
                     .on_demand = {3'060'000'000},
                     .spot = {918'000'000},
                     .conventions = ticks::Conventions::kSkyNomad,
                     .gigabytes = 50};
  // The hours, as doubles, must convert back to whole seconds. Otherwise the loop's progress has
  // their rounding error, while the product's is exact (docs/notes/agreement.md).
  while (seconds(job.changeover) / 3600 * 3600 != seconds(job.changeover))
    job.changeover = minutes(1, 40);
  const double ratios[] = {1.05, 1.1, 1.15, 1.2, 1.3, 1.5, 2, 3};
  job.deadline_ratio = ratios[draw.below(8)];
  job.work = Duration(std::llround(static_cast<double>(job.deadline.count()) / job.deadline_ratio));
  return job;
}

ticks::Pools drawn_sky_pools(Stream& draw, const ticks::TickJob& job) {
  const char* const names[] = {"us-east-1a", "us-east-1b",     "us-east-2a",
                               "us-west-2c", "europe-west1-b", "europe-west1-c"};
  std::vector<ticks::PoolWindow> all;
  const std::uint64_t turn = 2 + draw.below(40);
  for (std::uint64_t p = 0, n = 1 + draw.below(6); p < n; ++p) {
    ticks::PoolWindow one{
        .name = names[p],
        .on_demand = {(20 + 5 * static_cast<int>(draw.below(5))) * 100'000'000LL}};
    bool there = draw.below(2) > 0;
    std::int64_t cents = 50 + static_cast<std::int64_t>(draw.below(5)) * 10;
    for (std::int64_t t = 0; t <= job.deadline / job.tick; ++t) {
      if (draw.below(turn) == 0) there = !there;
      if (draw.below(30) == 0) cents = 50 + static_cast<std::int64_t>(draw.below(100));
      one.spot.available.push_back(there);
      one.spot.prices.push_back({cents * 10'000'000});
    }
    all.push_back(std::move(one));
  }
  ticks::MoveCosts costs{.between_zones = {}, .between_regions = {.egress = {1'000'000'000}}};
  costs.pairs[{"us-east-1", "us-east-2"}] = {.egress = {500'000'000}};
  return ticks::pools(std::move(all), costs);
}

TEST(SkyNomad, StrategiesAreTheLoopOnDrawnWindows) {
  Stream draw(7);
  for (int i = 0; i < 500; ++i) {
    const ticks::TickJob job = drawn_sky_job(draw);
    const ticks::Pools all = drawn_sky_pools(draw, job);
    for (const char* strategy : kTranscribed) {
      const double expected = skynomad_cost(job, all, strategy).value();
      ASSERT_FALSE(std::isnan(expected)) << strategy << " was late in " << i;
      ASSERT_NEAR(ticks::run_strategy(job, all, strategy).cost.dollars(), expected, 1e-6)
          << strategy << " in " << i;
    }
  }
}

TEST(SkyNomad, TheLoopIsThereForItsRulesAndConventionsOnly) {
  Stream draw(8);
  ticks::TickJob job = drawn_sky_job(draw);
  const ticks::Pools all = drawn_sky_pools(draw, job);
  EXPECT_FALSE(skynomad_cost(job, all, "greedy"));
  job.conventions = ticks::Conventions::kOwn;
  EXPECT_FALSE(skynomad_cost(job, all, "skynomad-up"));
}

}  // namespace
}  // namespace sim::agreement
