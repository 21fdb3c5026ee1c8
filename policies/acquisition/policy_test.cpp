#include "policies/acquisition/policy.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace policies {
namespace {

using namespace std::chrono_literals;

const AcquisitionJob kJob{.work = 8h, .deadline = 10h, .changeover = 12min, .tick = 10min};

Rental decide(std::string_view policy, const AcquisitionState& state) {
  const NamedAcquisitionPolicy made = make_acquisition_policy(policy);
  made.policy->begin(kJob);
  return made.policy->decide(state);
}

TEST(AcquisitionPolicy, NamesTheKnownOnesWhenItIsUnknown) {
  const auto complaint = [](std::string_view text) -> std::string {
    try {
      make_acquisition_policy(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(complaint("greed"),
            "acquisition policy 'greed': is unknown; known: on-demand, spot-only, greedy, "
            "time-sliced:N, uniform-progress, uniform-progress-oracle, fallback-failures:N, "
            "fallback-waiting:T");
  EXPECT_EQ(complaint("greedy:2").find("acquisition policy 'greedy:2': takes no argument"), 0u);
  EXPECT_EQ(complaint("time-sliced").find("acquisition policy 'time-sliced': needs an arg"), 0u);
  EXPECT_NE(complaint("time-sliced:0").find("expected a number of slices from 1"),
            std::string::npos);
}

TEST(Greedy, WaitsUntilTwoChangeoversFillTheTimeLeft) {
  // 8 h and 24 min are 51 ticks: on-demand when no more than these are left.
  EXPECT_EQ(decide("greedy", {.tick = 8}), Rental::kIdle);
  EXPECT_EQ(decide("greedy", {.tick = 9}), Rental::kOnDemand);
  EXPECT_EQ(decide("greedy", {.tick = 8, .spot = true}), Rental::kSpot);
  EXPECT_EQ(decide("greedy", {.tick = 9, .spot = true}), Rental::kOnDemand);
}

TEST(Greedy, KeepsAWorkingSpotInstanceToTheEnd) {
  EXPECT_EQ(decide("greedy", {.tick = 30, .now = Rental::kSpot, .spot = true}), Rental::kSpot);
  EXPECT_EQ(
      decide("greedy", {.tick = 30, .changeover_left = 2min, .now = Rental::kSpot, .spot = true}),
      Rental::kOnDemand);
}

TEST(UniformProgress, IsOnDemandBehindTheLineAndLeavesItFarAheadOnly) {
  // The line is 8 minutes a tick: 80 minutes at tick 10, 99.2 two changeovers later.
  EXPECT_EQ(decide("uniform-progress", {.tick = 10, .done = 79min}), Rental::kOnDemand);
  EXPECT_EQ(decide("uniform-progress", {.tick = 10, .done = 80min}), Rental::kIdle);
  const auto held = [](std::chrono::minutes done, bool spot) {
    return decide("uniform-progress",
                  {.tick = 10, .done = done, .now = Rental::kOnDemand, .spot = spot});
  };
  EXPECT_EQ(held(99min, true), Rental::kOnDemand);
  EXPECT_EQ(held(100min, true), Rental::kSpot);
  EXPECT_EQ(held(100min, false), Rental::kOnDemand);
}

TEST(Fallbacks, StayOnDemandWhoeverChoseIt) {
  for (const char* policy : {"fallback-failures:2", "fallback-waiting:1h"})
    EXPECT_EQ(decide(policy, {.tick = 9, .now = Rental::kOnDemand, .spot = true}),
              Rental::kOnDemand);
}

TEST(UniformProgressOracle, LetsPassWhatDoesNotPayForItsChangeovers) {
  // k·d/(k−1) = 18 minutes.
  const auto idle = [](std::chrono::minutes lifetime) {
    return decide(
        "uniform-progress-oracle",
        {.tick = 2, .done = 20min, .spot = true, .spot_lifetime = lifetime, .price_ratio = 3});
  };
  EXPECT_EQ(idle(18min), Rental::kIdle);
  EXPECT_EQ(idle(19min), Rental::kSpot);
}

}  // namespace
}  // namespace policies
