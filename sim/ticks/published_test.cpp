// The means published for the real windows of "Can't Be Late".
#include <gtest/gtest.h>

#include "sim/ticks/kinds_for_test.h"
#include "sim/ticks/optimum.h"
#include "sim/ticks/tick_run.h"
#include "sim/traces/availability.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

const TickJob kPublishedJob{.work = 48h,
                            .deadline = 60h,
                            .changeover = 12min,
                            .tick = 10min,
                            .on_demand = {3'060'000'000},
                            .spot = {973'100'000}};

class Published : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path file = fs::path(SPOTSIM_SOURCE_DIR) /
                          "scenarios/traces/cant-be-late/windows_8x300x554.txt.gz";
    for (const auto& [pool, series] : market::read_availability(file).pools) {
      SpotWindow w;
      for (const std::int64_t n : sample(series, Time{}, series.end, kPublishedJob.tick))
        w.available.push_back(n > 0);
      windows_.push_back(std::move(w));
    }
    ASSERT_EQ(windows_.size(), 2400u);
  }

  struct Means {
    double usd = 0, on_demand_hours = 0, spot_hours = 0;
  };
  Means means_of(std::string_view policy) const {
    const auto named = policies::make_acquisition_policy(policy);
    Means sum;
    for (const SpotWindow& w : windows_) {
      const TickOutcome out = run_ticks(kPublishedJob, w, *named.policy, named.oracle);
      EXPECT_TRUE(out.finished && out.ticks * kPublishedJob.tick <= kPublishedJob.deadline);
      sum.usd += out.cost.dollars();
      sum.on_demand_hours += seconds(out.on_demand_work) / 3600;
      sum.spot_hours += seconds(out.spot_work) / 3600;
    }
    const auto n = static_cast<double>(windows_.size());
    return {sum.usd / n, sum.on_demand_hours / n, sum.spot_hours / n};
  }

  std::vector<SpotWindow> windows_;
};

TEST_F(Published, MeansOfTheFourPoliciesAgreeToTheCent) {
  EXPECT_NEAR(means_of("on-demand").usd, 147.90, 0.005);
  const Means greedy = means_of("greedy");
  EXPECT_NEAR(greedy.usd, 116.01, 0.005);
  EXPECT_NEAR(greedy.on_demand_hours, 32.10, 0.005);
  EXPECT_NEAR(greedy.spot_hours, 15.90, 0.005);
  EXPECT_NEAR(means_of("time-sliced:8").usd, 111.99, 0.005);
  const Means uniform = means_of("uniform-progress");
  EXPECT_NEAR(uniform.usd, 106.92, 0.005);
  EXPECT_NEAR(uniform.on_demand_hours, 26.14, 0.005);
  EXPECT_NEAR(uniform.spot_hours, 21.86, 0.005);
}

TEST_F(Published, OptimumIsBelowEveryPolicyOnEveryWindow) {
  std::vector<market::Usd> optimum;
  for (const auto& window : windows_) optimum.push_back(least_cost(kPublishedJob, window).value());
  for (const auto& kind : policies::acquisition_policy_kinds()) {
    if (!heeds_deadline(kind.name)) continue;
    const auto named = policies::make_acquisition_policy(written(kind));
    for (std::size_t i = 0; i < windows_.size(); ++i)
      EXPECT_LE(optimum[i], run_ticks(kPublishedJob, windows_[i], *named.policy, named.oracle).cost)
          << kind.name << " on window " << i;
  }
}

}  // namespace
}  // namespace sim::sweep
