// SkyNomad's strategies over several pools and the conventions of its simulator. tests/agreement
// compares them with that simulator's loop.
#include <gtest/gtest.h>

#include "sim/ticks/pools_for_test.h"

namespace sim::ticks {
namespace {

// A job of three ticks on spot at $1, probes of the other pool at $6.
const TickJob kThreeTicks{.work = 30min,
                          .deadline = 3h,
                          .tick = 10min,
                          .on_demand = {60'000'000'000},
                          .spot = {1'000'000'000},
                          .conventions = Conventions::kSkyNomad};

TEST(SkyNomad, TheLastTickIsNotBilled) {
  TickJob job = kThreeTicks;
  const Pools one = pools({pool("us-east-1a", "111111111111111111")});
  EXPECT_EQ(run_strategy(job, one, "skynomad-up").cost, (market::Usd{333'333'333}));
  job.conventions = Conventions::kOwn;
  EXPECT_EQ(run_strategy(job, one, "skynomad-up").cost, (market::Usd{500'000'000}));
}

TEST(SkyNomad, AProbeThatFindsCapacityCostsAMinute) {
  TickJob job = kThreeTicks;
  job.conventions = Conventions::kOwn;
  const std::string there(18, '1'), away(18, '0');
  const Pools found = pools({pool("us-east-1a", there), pool("us-west-2a", there, 600)});
  const TickOutcome probed = run_strategy(job, found, "skynomad-up-ap");
  EXPECT_EQ(probed.probes, 1);
  EXPECT_EQ(probed.cost, (market::Usd{500'000'000 + 100'000'000}));
  const Pools none = pools({pool("us-east-1a", there), pool("us-west-2a", away, 600)});
  EXPECT_EQ(run_strategy(job, none, "skynomad-up-ap").cost, (market::Usd{500'000'000}));
}

TEST(SkyNomad, AJobThatDoesNotFitCostsAsMuchOnDemandWhereThatIsCheapest) {
  TickJob job = kThreeTicks;
  job.deadline = 30min;
  job.changeover = 12min;
  Pools two = pools({pool("us-east-1a", "111"), pool("us-east-2a", "111")});
  two.pools[1].on_demand = {40'000'000'000};
  const TickOutcome out = run_strategy(job, two, "skynomad-up-s");
  EXPECT_FALSE(out.finished);
  EXPECT_EQ(out.cost, (market::Usd{28'000'000'000}));
}

TEST(SkyNomad, AnInterruptionSendsUpSToAnotherRegion) {
  TickJob job = kThreeTicks;
  job.work = 1h;
  const Pools three = pools({pool("us-east-1a", "110000000000000000", 100),
                             pool("us-east-1b", "111111111111111111", 110),
                             pool("us-west-2a", "111111111111111111", 200)});
  // Ticks at $1.00, $1.00, then in us-west-2 at $2.00; UP would go to us-east-1b.
  EXPECT_EQ(run_strategy(job, three, "skynomad-up-s").cost, (market::Usd{1'333'333'333}));
  EXPECT_EQ(run_strategy(job, three, "skynomad-up").cost, (market::Usd{883'333'333}));
}

}  // namespace
}  // namespace sim::ticks
