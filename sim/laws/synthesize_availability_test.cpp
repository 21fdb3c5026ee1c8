#include "sim/laws/synthesize_availability.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "sim/laws/availability_statistics.h"
#include "sim/traces/trace_file.h"

namespace sim::laws {
namespace {

namespace fs = std::filesystem;

const market::Pool kA{"p3.2xlarge", "us-west-2a"}, kB{"p3.2xlarge", "us-west-2b"};

DrawnSpan years(int n) {
  return {.from = Time{}, .to = Time{} + n * 365 * 24h, .tick = 10min, .seed = 4};
}
PoolRenewal renewal(const market::Pool& pool) {
  return {
      .pool = pool, .up_law = &kWeibull, .up = {6, 1.5}, .down_law = &kExponential, .down = {2}};
}

TEST(SynthesizeAvailability, StretchesHaveTheirLawsMeans) {
  const auto drawn = synthesize({renewal(kA)}, years(10)).pools.at(kA);
  const auto s = statistics_of(drawn, 1);
  EXPECT_NEAR(s.mean_up, kWeibull.mean({6, 1.5}), 0.1);
  EXPECT_NEAR(s.mean_down, 2, 0.05);
  EXPECT_NEAR(s.available, s.mean_up / (s.mean_up + s.mean_down), 0.005);
  const Fit up = fit(kWeibull, stretches_of(drawn, 1).up);
  EXPECT_NEAR(up.parameters[0], 6, 0.1);
  EXPECT_NEAR(up.parameters[1], 1.5, 0.05);
  EXPECT_EQ(drawn.end, years(10).to);
  for (const traces::CapacityStep& step : drawn.steps)
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

// Both laws fitted to the series by `choose`, and drawn from for 10 years.
template <typename Choose>
double drawn_availability(const traces::CapacitySeries& series, const Choose& choose) {
  const Stretches stretches = stretches_of(series, 1);
  const Fit up = choose(stretches.up), down = choose(stretches.down);
  const auto drawn =
      synthesize({PoolRenewal{kA, up.law, up.parameters, down.law, down.parameters}}, years(10));
  return statistics_of(drawn.pools.at(kA), 1).available;
}

// The eight markets of a folder. The exponential law always keeps their availability. `others` is
// the permitted difference of the other laws, `best` that of the best fit.
void expect_draws_like_their_sources(const fs::path& folder, double others, double best) {
  std::size_t markets = 0;
  for (const auto& file : fs::directory_iterator(folder)) {
    const traces::CapacitySeries series =
        traces::read_availability(file.path()).pools.begin()->second;
    const double source = statistics_of(series, 1).available;
    for (const LifetimeLaw* law : lifetime_laws())
      EXPECT_NEAR(drawn_availability(series, [&](const auto& s) { return fit(*law, s); }), source,
                  law == &kExponential ? 0.02 : others)
          << file.path() << " " << law->name;
    EXPECT_NEAR(drawn_availability(series, best_fit), source, best) << file.path();
    ++markets;
  }
  EXPECT_EQ(markets, 8u);
}

TEST(SynthesizeAvailability, DrawsLikeTheShippedMarkets) {
  expect_draws_like_their_sources(fs::path(SPOTSIM_SOURCE_DIR) / "scenarios/traces/capacity", 0.05,
                                  0.02);
}

TEST(SynthesizeAvailability, DrawsLikeRealMarkets) {
  const char* named = std::getenv("SPOTSIM_SHARED");
  const fs::path folder =
      (named ? fs::path(named) : fs::path(SPOTSIM_SOURCE_DIR) / ".." / "shared") /
      "traces/skypilot-spot-traces/availability/1-node/aws-10-26-2022";
  if (!fs::is_directory(folder))
    GTEST_SKIP() << "no real traces: set SPOTSIM_SHARED to the folder that has traces/";
  expect_draws_like_their_sources(folder, 0.12, 0.10);  // no law fits these
}

// A trace whose pools usually gain and lose capacity together.
traces::AvailabilityTrace correlated() {
  traces::AvailabilityTrace trace = synthesize({renewal(kA)}, years(1));
  trace.pools[kB] = trace.pools.at(kA);
  Stream stream(9);
  std::vector<traces::CapacityStep>& steps = trace.pools[kB].steps;
  for (traces::CapacityStep& step : steps)
    if (stream.below(5) == 0) step.instances = 1;
  std::erase_if(steps, [last = std::int64_t{-1}](const traces::CapacityStep& step) mutable {
    return std::exchange(last, step.instances) == step.instances;
  });
  return trace;
}

TEST(SynthesizeAvailability, ChainOfTwoPoolsKeepsAvailabilityAndCorrelation) {
  const traces::AvailabilityTrace source = correlated();
  const auto drawn = synthesize(joint_chain(source, 1, 10min), years(20));
  for (const market::Pool& pool : {kA, kB}) {
    const auto then = statistics_of(source.pools.at(pool), 1);
    const auto now = statistics_of(drawn.pools.at(pool), 1);
    EXPECT_NEAR(now.available, then.available, 0.01);
    EXPECT_NEAR(now.mean_time_between_interruptions, then.mean_time_between_interruptions, 0.3);
  }
  const auto both = [](const traces::AvailabilityTrace& t) {
    return *correlation(t.pools.at(kA), t.pools.at(kB), 1, 10min);
  };
  EXPECT_GT(both(source), 0.5);
  EXPECT_NEAR(both(drawn), both(source), 0.03);
}

TEST(SynthesizeAvailability, ChainCountsWhatFollowedWhatRoundTheEnd) {
  const traces::AvailabilityTrace trace{
      {{kA, {{{Time{}, 1}, {Time{} + 20min, 0}}, Time{} + 30min, {}}},
       {kB, {{{Time{} + 10min, 4}}, Time{} + 60min, {}}}}};
  const JointChain chain = joint_chain(trace, 1, 10min);  // 11, 10 in [10, 30) minutes
  EXPECT_EQ(chain.followed.size(), 2u);
  EXPECT_EQ(chain.followed.at(3).at(2), 1);
  EXPECT_EQ(chain.followed.at(2).at(3), 1);
  const traces::AvailabilityTrace apart{
      {{kA, {{{Time{}, 1}}, Time{} + 1h, {}}}, {kB, {{{Time{} + 1h, 1}}, Time{} + 2h, {}}}}};
  EXPECT_THROW(joint_chain(apart, 1, 10min), traces::TraceError);
}

}  // namespace
}  // namespace sim::laws
