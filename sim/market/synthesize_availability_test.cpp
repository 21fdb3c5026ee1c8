#include "sim/market/synthesize_availability.h"

#include <gtest/gtest.h>

#include "sim/market/availability_statistics.h"

namespace sim::market {
namespace {

const Pool kA{"p3.2xlarge", "us-west-2a"}, kB{"p3.2xlarge", "us-west-2b"};

DrawnSpan years(int n) {
  return {.from = Time{}, .to = Time{} + n * 365 * 24h, .tick = 10min, .seed = 4};
}
Renewal renewal(const Pool& pool) {
  return {
      .pool = pool, .up_law = &kWeibull, .up = {6, 1.5}, .down_law = &kExponential, .down = {2}};
}

TEST(SynthesizeAvailability, StretchesHaveTheirLawsMeans) {
  const auto drawn = synthesize({renewal(kA)}, years(10)).pools.at(kA);
  const auto s = statistics_of(drawn, 1);
  EXPECT_NEAR(s.mean_up, kWeibull.mean({6, 1.5}), 0.1);
  EXPECT_NEAR(s.mean_down, 2, 0.05);
  EXPECT_NEAR(s.available, s.mean_up / (s.mean_up + s.mean_down), 0.005);
  EXPECT_GT(fit(kWeibull, stretches_of(drawn, 1).up).p, 0.001);
  EXPECT_EQ(drawn.end, years(10).to);
  for (const CapacityStep& step : drawn.steps)
    EXPECT_EQ(step.at.time_since_epoch() % Duration(10min), Duration::zero());
}

TEST(SynthesizeAvailability, IsAFunctionOfItsSpecAndAPoolAddedMovesNoOther) {
  EXPECT_EQ(synthesize({renewal(kA)}, years(1)), synthesize({renewal(kA)}, years(1)));
  EXPECT_EQ(synthesize({renewal(kB), renewal(kA)}, years(1)).pools.at(kA),
            synthesize({renewal(kA)}, years(1)).pools.at(kA));
  DrawnSpan other = years(1);
  other.seed = 5;
  EXPECT_NE(synthesize({renewal(kA)}, other), synthesize({renewal(kA)}, years(1)));
}

// A trace whose pools come and go together more often than not.
AvailabilityTrace correlated() {
  AvailabilityTrace trace = synthesize({renewal(kA)}, years(1));
  trace.pools[kB] = trace.pools.at(kA);
  Stream stream(9);
  std::vector<CapacityStep>& steps = trace.pools[kB].steps;
  for (CapacityStep& step : steps)
    if (stream.below(5) == 0) step.instances = 1;
  std::erase_if(steps, [last = std::int64_t{-1}](const CapacityStep& step) mutable {
    return std::exchange(last, step.instances) == step.instances;
  });
  return trace;
}

TEST(SynthesizeAvailability, ChainOfTwoPoolsKeepsAvailabilityAndCorrelation) {
  const AvailabilityTrace source = correlated();
  const auto drawn = synthesize(joint_chain(source, 1, 10min), years(20));
  for (const Pool& pool : {kA, kB}) {
    const auto then = statistics_of(source.pools.at(pool), 1);
    const auto now = statistics_of(drawn.pools.at(pool), 1);
    EXPECT_NEAR(now.available, then.available, 0.01);
    EXPECT_NEAR(now.mean_time_between_interruptions, then.mean_time_between_interruptions, 0.3);
  }
  const auto both = [](const AvailabilityTrace& t) {
    return correlation(t.pools.at(kA), t.pools.at(kB), 1, 10min);
  };
  EXPECT_GT(both(source), 0.5);
  EXPECT_NEAR(both(drawn), both(source), 0.03);
}

TEST(SynthesizeAvailability, ChainCountsWhatFollowedWhatRoundTheEnd) {
  const AvailabilityTrace trace{{{kA, {{{Time{}, 1}, {Time{} + 20min, 0}}, Time{} + 30min, {}}},
                                 {kB, {{{Time{} + 10min, 4}}, Time{} + 60min, {}}}}};
  const JointChain chain = joint_chain(trace, 1, 10min);  // 11, 10 in [10, 30) minutes
  EXPECT_EQ(chain.followed.size(), 2u);
  EXPECT_EQ(chain.followed.at(3).at(2), 1);
  EXPECT_EQ(chain.followed.at(2).at(3), 1);
  const AvailabilityTrace apart{
      {{kA, {{{Time{}, 1}}, Time{} + 1h, {}}}, {kB, {{{Time{} + 1h, 1}}, Time{} + 2h, {}}}}};
  EXPECT_THROW(joint_chain(apart, 1, 10min), TraceError);
}

}  // namespace
}  // namespace sim::market
