#include "sim/sweep/preference.h"

#include <gtest/gtest.h>

namespace sim::sweep {
namespace {

constexpr std::size_t kRuns = 100;

// All runs are independent.
Dependence independent() {
  Grid grid;
  for (std::size_t i = 0; i < kRuns; ++i) grid.cases.points.push_back({std::to_string(i)});
  return {grid, std::nullopt};
}

// Every second run costs `spread` more, the others cost `spread` less.
TriedAlternative way(const std::string& strategy, double cost, double hours, double spread = 0) {
  TriedAlternative tried{
      .strategy = strategy, .zones = {0}, .saves = {.policy = "time:1h"}, .times = 1};
  for (std::size_t i = 0; i < kRuns; ++i) {
    tried.cost.push_back(cost + (i % 2 ? spread : -spread));
    tried.hours.push_back(hours);
    tried.late.push_back(0);
    tried.interruptions.push_back(1);
  }
  return tried;
}

class PreferenceTest : public testing::Test {
 protected:
  Preferred choose(const std::vector<TriedAlternative>& ways) const {
    return Preference(dependence_, late_allowed_).choose(ways);
  }

  const Dependence dependence_ = independent();
  double late_allowed_ = 0;
};

TEST_F(PreferenceTest, TheCheapestIsTakenWhereTheDifferenceIsNoChance) {
  const auto found = choose({way("greedy", 103, 10), way("utility:0.1", 100, 20)});
  EXPECT_EQ(found.best, 1u);
  EXPECT_EQ(found.reason, Reason::kCost);
}

TEST_F(PreferenceTest, OfThoseThatCostTheSameTheSoonestIsTaken) {
  const auto by_a_hundredth = choose({way("greedy", 101, 10), way("utility:0.1", 100, 20)});
  EXPECT_EQ(by_a_hundredth.best, 0u);
  EXPECT_EQ(by_a_hundredth.cheapest, 1u);
  EXPECT_EQ(by_a_hundredth.reason, Reason::kSooner);
  EXPECT_EQ(choose({way("greedy", 102.5, 10, 20), way("utility:0.1", 100, 20)}).best, 0u);
}

TEST_F(PreferenceTest, ChanceIsNoReasonForMoreThanThreeHundredths) {
  EXPECT_EQ(choose({way("greedy", 104, 10, 90), way("utility:0.1", 100, 20)}).best, 1u);
}

TEST_F(PreferenceTest, AsSoonAndAsCheapTheSeldomInterruptedIsTaken) {
  auto calm = way("utility:0.1", 100.5, 10.1), other = way("greedy", 100, 10);
  calm.interruptions.assign(kRuns, 0.5);
  const auto found = choose({other, calm});
  EXPECT_EQ(found.best, 1u);
  EXPECT_EQ(found.reason, Reason::kSeldomTaken);
}

TEST_F(PreferenceTest, ElseThePlainest) {
  auto two_zones = way("greedy+lowest-price", 100, 10);
  two_zones.zones = {0, 1};
  const auto found = choose({two_zones, way("utility:0.1", 100.4, 10), way("greedy", 100.5, 10)});
  EXPECT_EQ(found.best, 2u);
  EXPECT_EQ(found.reason, Reason::kPlainer);
}

TEST_F(PreferenceTest, OfEqualIntervalsTheOneNextToTheClosedForms) {
  std::vector<TriedAlternative> ways;
  for (const double times : {4.0, 0.25, 1.0, 2.0}) {
    ways.push_back(way("greedy", 100, 10));
    ways.back().times = times;
  }
  EXPECT_EQ(choose(ways).best, 2u);
}

TEST_F(PreferenceTest, LateRunsCountBeforeMoney) {
  auto late = way("greedy", 50, 10);
  late.late.front() = 1;
  EXPECT_EQ(choose({late, way("utility:0.1", 100, 10)}).best, 1u);
  late_allowed_ = 0.01;
  EXPECT_EQ(choose({late, way("utility:0.1", 100, 10)}).best, 0u);
}

}  // namespace
}  // namespace sim::sweep
