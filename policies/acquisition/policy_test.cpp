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
  std::string known;
  for (const AcquisitionPolicyKind& kind : acquisition_policy_kinds()) {
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
    if (!kind.argument.empty()) known += ":" + std::string(kind.argument);
  }
  EXPECT_NE(known.find("greedy, time-sliced:N, "), std::string::npos) << known;
  EXPECT_EQ(complaint("greed"), "acquisition policy 'greed': is unknown; known: " + known);
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

TEST(Fallbacks, StayOnDemandAlsoIfAnotherPolicyChoseIt) {
  for (const char* policy : {"fallback-failures:2", "fallback-waiting:1h"})
    EXPECT_EQ(decide(policy, {.tick = 9, .now = Rental::kOnDemand, .spot = true}),
              Rental::kOnDemand);
}

// The line is 8 minutes a tick: 80 minutes at tick 10, 99.2 two changeovers later.
TEST(UniformProgressVariants, LeaveOutOneReasonToStayOnDemandEach) {
  const auto held = [](std::string_view policy, std::chrono::minutes done, bool spot) {
    return decide(policy, {.tick = 10, .done = done, .now = Rental::kOnDemand, .spot = spot});
  };
  EXPECT_EQ(held("uniform-progress-no-keep", 99min, false), Rental::kOnDemand);
  EXPECT_EQ(held("uniform-progress-no-keep", 100min, false), Rental::kIdle);
  EXPECT_EQ(held("uniform-progress-no-keep", 99min, true), Rental::kOnDemand);
  EXPECT_EQ(held("uniform-progress-no-hysteresis", 100min, false), Rental::kOnDemand);
  EXPECT_EQ(held("uniform-progress-no-hysteresis", 50min, true), Rental::kSpot);
}

Rental with_lifetime(std::string_view policy, Rental now, std::chrono::minutes lifetime,
                     double on_demand = 3, std::chrono::minutes done = 20min) {
  return decide(policy, {.tick = 2,
                         .done = done,
                         .now = now,
                         .spot = true,
                         .spot_lifetime = lifetime,
                         .spot_price = 1,
                         .on_demand_price = on_demand});
}

// k·d/(k−1) = 18 minutes.
TEST(UniformProgressOracle, LetsPassWhatDoesNotPayForItsChangeovers) {
  for (const char* policy : {"uniform-progress-oracle", "uniform-progress-oracle-single"}) {
    EXPECT_EQ(with_lifetime(policy, Rental::kIdle, 18min), Rental::kIdle);
    EXPECT_EQ(with_lifetime(policy, Rental::kIdle, 19min), Rental::kSpot);
    EXPECT_EQ(with_lifetime(policy, Rental::kIdle, 18min, 3, 0min), Rental::kOnDemand) << "behind";
    EXPECT_EQ(with_lifetime(policy, Rental::kSpot, 1min), Rental::kSpot);
  }
}

// Also behind the line: the lifetime takes the place of the hysteresis.
TEST(UniformProgressOracle, LeavesOnDemandForWhatPaysForTwoChangeoversOrOne) {
  const Rental od = Rental::kOnDemand;
  EXPECT_EQ(with_lifetime("uniform-progress-oracle", od, 36min, 3, 0min), od);
  EXPECT_EQ(with_lifetime("uniform-progress-oracle", od, 37min, 3, 0min), Rental::kSpot);
  EXPECT_EQ(with_lifetime("uniform-progress-oracle-single", od, 18min, 3, 0min), od);
  EXPECT_EQ(with_lifetime("uniform-progress-oracle-single", od, 19min, 3, 0min), Rental::kSpot);
}

TEST(UniformProgressOracle, TakesNoSpotThatIsAsDearAsOnDemand) {
  for (const double on_demand : {1.0, 0.9})
    EXPECT_EQ(with_lifetime("uniform-progress-oracle", Rental::kIdle, 500min, on_demand),
              Rental::kIdle);
}

// Five slices of 12 ticks with 96 minutes of work each; with two changeovers that is 120 minutes.
TEST(TimeSliced, TakesWhatIsDoneAheadAsTimeForTheNextSlice) {
  const NamedAcquisitionPolicy made = make_acquisition_policy("time-sliced:5");
  const auto at = [&](std::int64_t tick, std::chrono::minutes done) {
    return made.policy->decide({.tick = tick, .done = done});
  };
  made.policy->begin(kJob);
  EXPECT_EQ(at(0, 0min), Rental::kOnDemand);
  EXPECT_EQ(at(11, 96min), Rental::kIdle) << "the slice's work is done";
  EXPECT_EQ(at(12, 126min), Rental::kIdle);
  EXPECT_EQ(at(14, 126min), Rental::kIdle) << "13 ticks left";
  EXPECT_EQ(at(15, 126min), Rental::kOnDemand) << "12 ticks left";
  made.policy->begin(kJob);
  EXPECT_EQ(at(12, 96min), Rental::kOnDemand) << "nothing is ahead in another run";
}

}  // namespace
}  // namespace policies
