#include "tests/agreement/agreement.h"

#include <gtest/gtest.h>

namespace sim::agreement {
namespace {

TickPlan short_plan() {
  TickPlan plan;
  plan.policies = {"greedy", "spot-only", "optimum"};
  plan.settings = {{.work = 1h,
                    .deadline = 3h,
                    .changeover = 10min,
                    .tick = 10min,
                    .on_demand = {3'000'000'000},
                    .spot = {1'000'000'000}}};
  plan.windows = {ticks::window_of_one("m", 0, {.available = std::vector<std::uint8_t>(20, 1)})};
  return plan;
}

TEST(Agreement, IsOfPoliciesThatHaveALoop) {
  const auto rows = agreements(short_plan());
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].policy, "greedy");
  EXPECT_EQ(rows[0].windows, 1);
  EXPECT_EQ(rows[0].equal, 1);
  EXPECT_NEAR(rows[0].mean_usd, 7.0 / 6, 1e-9);
  EXPECT_TRUE(rows[0].agrees());
}

TEST(Agreement, IsWithPublishedMeansToTheCent) {
  TickPlan plan = short_plan();
  plan.published = {{"greedy", {{1'170'000'000}}}, {"spot-only", {{1'180'000'000}}}};
  const auto rows = agreements(plan);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_TRUE(rows[0].agrees());
  EXPECT_EQ(rows[1].windows, 0);
  EXPECT_FALSE(rows[1].agrees());
}

TEST(Agreement, IsAtThePricesOfThePool) {
  TickPlan plan = short_plan();
  plan.policies = {"on-demand", "greedy"};
  plan.windows[0].pools.pools[0].on_demand = {6'000'000'000};
  plan.windows[0].pools.pools[0].spot_price = {2'000'000'000};
  const auto rows = agreements(plan);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NEAR(rows[0].mean_usd, 7, 1e-9);
  EXPECT_NEAR(rows[1].mean_usd, 7.0 / 3, 1e-9);
  EXPECT_TRUE(rows[0].agrees() && rows[1].agrees());
}

TEST(Agreement, APublishedMeanMayBeOfEachSetting) {
  TickPlan plan = short_plan();
  plan.settings.push_back(plan.settings.front());
  plan.settings.back().work = 2h;
  plan.published = {{"greedy", {{1'170'000'000}, {2'170'000'000}}}};
  const auto rows = agreements(plan);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].published_usd, 1.17);
  EXPECT_EQ(rows[1].published_usd, 2.17);
  EXPECT_TRUE(rows[0].agrees() && rows[1].agrees());
}

TEST(Agreement, HasNothingToCompareWithWhereTheJobIsNotThePapers) {
  TickPlan plan = short_plan();
  plan.settings[0].billing = market::Billing::kPerSecond;
  EXPECT_TRUE(agreements(plan).empty());
}

TEST(Agreement, ShowsAWindowThatDiffers) {
  Agreement row{.setting = "", .policy = "", .windows = 2, .equal = 1};
  EXPECT_FALSE(row.agrees());
}

}  // namespace
}  // namespace sim::agreement
