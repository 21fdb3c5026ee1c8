// The rules of "Can't Be Late" on its published windows. The results of its own simulator are in
// reference/ under the folder that SPOTSIM_SHARED names, else under ../shared beside the sources.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>

#include "sim/ticks/kinds_for_test.h"
#include "sim/ticks/optimum.h"
#include "sim/ticks/tick_run.h"
#include "sim/ticks/windows.h"
#include "sim/traces/availability.h"
#include "sim/traces/trace_file.h"

namespace sim::ticks {
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
    const char* named = std::getenv("SPOTSIM_SHARED");
    shared_ = named ? fs::path(named) : fs::path(SPOTSIM_SOURCE_DIR) / "../shared";
    const fs::path file =
        fs::path(SPOTSIM_SOURCE_DIR) / "scenarios/traces/cant-be-late/windows_8x300x554.txt.gz";
    for (Window& window : cut(traces::read_availability(file), {.tick = kPublishedJob.tick}))
      windows_[{window.market, window.number}] = std::move(window.pools.pools[0].spot);
    ASSERT_EQ(windows_.size(), 2400u);
  }

  struct Means {
    double usd = 0, on_demand_hours = 0, spot_hours = 0;
  };
  Means means_of(std::string_view policy) const {
    const auto named = policies::make_acquisition_policy(policy);
    Means sum;
    for (const auto& [name, w] : windows_) {
      const TickOutcome out = run_ticks(kPublishedJob, w, *named.policy, named.oracle);
      EXPECT_TRUE(out.finished && out.ticks * kPublishedJob.tick <= kPublishedJob.deadline);
      sum.usd += out.cost.dollars();
      sum.on_demand_hours += seconds(out.on_demand_work) / 3600;
      sum.spot_hours += seconds(out.spot_work) / 3600;
    }
    const auto n = static_cast<double>(windows_.size());
    return {sum.usd / n, sum.on_demand_hours / n, sum.spot_hours / n};
  }

  fs::path shared_;
  std::map<std::pair<std::string, std::int64_t>, SpotWindow> windows_;  // by market and number
};

// A row of the reference, or of a run.
struct PublishedRun {
  double usd, on_demand_hours, spot_hours;
  std::int64_t restarts;
  double makespan_hours;
};

PublishedRun row_of(const TickOutcome& out) {
  const double tick = seconds(kPublishedJob.tick) / 3600;
  const auto hours = [&](std::int64_t ticks) { return static_cast<double>(ticks) * tick; };
  return {out.cost.dollars(), hours(out.on_demand_ticks), hours(out.spot_ticks), out.launches,
          hours(out.ticks)};
}

bool agree(const PublishedRun& a, const PublishedRun& b) {
  const auto near = [](double x, double y) { return std::abs(x - y) < 1e-5; };
  return near(a.usd, b.usd) && near(a.on_demand_hours, b.on_demand_hours) &&
         near(a.spot_hours, b.spot_hours) && a.restarts == b.restarts &&
         near(a.makespan_hours, b.makespan_hours);
}

TEST_F(Published, EveryRuleAgreesOnEveryWindow) {
  const fs::path file = shared_ / "reference/cant-be-late/windows_C48_R60_d0.2.csv.gz";
  if (!fs::is_regular_file(file)) GTEST_SKIP() << "no reference: " << file << " is not there";
  std::string text = traces::load_trace_file(file).text;
  std::erase(text, '\r');
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  ASSERT_EQ(line,
            "policy,zone,window,cost_usd,on_demand_billed_h,spot_billed_h,restarts,makespan_h");
  std::map<std::string, int> equal, different;
  while (std::getline(lines, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    std::string policy, market;
    std::int64_t number = -1;
    PublishedRun expected{};
    fields >> policy >> market >> number >> expected.usd >> expected.on_demand_hours >>
        expected.spot_hours >> expected.restarts >> expected.makespan_hours;
    ASSERT_TRUE(fields) << line;
    if (policy == "time-sliced-8") policy = "time-sliced:8";
    const auto named = policies::make_acquisition_policy(policy);
    const TickOutcome out =
        run_ticks(kPublishedJob, windows_.at({market, number}), *named.policy, named.oracle);
    ++(agree(row_of(out), expected) ? equal : different)[policy];
  }
  EXPECT_EQ(equal.size(), 8u);
  for (const auto& [policy, count] : equal) EXPECT_EQ(count, 2400) << policy;
  for (const auto& [policy, count] : different) EXPECT_EQ(count, 0) << policy;
}

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
  std::vector<policies::NamedAcquisitionPolicy> heeding;
  for (const auto& kind : policies::acquisition_policy_kinds())
    if (heeds_deadline(kind.name))
      heeding.push_back(policies::make_acquisition_policy(written(kind)));
  for (const auto& [name, window] : windows_) {
    const market::Usd optimum = least_cost(kPublishedJob, window).value();
    for (const auto& [text, oracle, policy] : heeding)
      EXPECT_LE(optimum, run_ticks(kPublishedJob, window, *policy, oracle).cost)
          << text << " on " << name.first << " " << name.second;
  }
}

}  // namespace
}  // namespace sim::ticks
