#include "policies/checkpoint/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "policies/checkpoint/hazard_plan.h"
#include "policies/checkpoint/interruption_time.h"

namespace policies {
namespace {

using namespace std::chrono_literals;

constexpr double kMinute = 60, kHour = 3600;

TEST(Interval, DalysHigherOrderGivesThePublishedOptimaAndTimes) {
  struct Published {
    double M, interval_minutes, total_hours;
  };
  for (const Published& row : {Published{24 * kHour, 117, 547.88}, Published{6 * kHour, 57, 610.22},
                               Published{15 * kMinute, 9.1, 2504.17}}) {
    const double interval = daly_interval(5 * kMinute, row.M);
    EXPECT_NEAR(interval / kMinute, row.interval_minutes, row.interval_minutes > 10 ? 0.5 : 0.05);
    const double total = expected_time(500 * kHour, interval, 5 * kMinute, row.M, 10 * kMinute);
    EXPECT_NEAR(total / kHour, row.total_hours, 0.005);
  }
}

TEST(Interval, TheExactOneMinimisesTheExpectedTime) {
  for (const double d : {0.01, 5.0, 300.0, 5000.0}) {
    for (const double M : {900.0, 21'600.0, 1e6}) {
      const double best = exact_interval(d, M);
      const auto time = [&](double interval) { return expected_time(1, interval, d, M, 600); };
      EXPECT_LT(time(best), time(best * 1.01)) << d << " " << M;
      EXPECT_LT(time(best), time(best * 0.99)) << d << " " << M;
    }
  }
}

TEST(Interval, TheApproximationsApproachTheExactOneAsCheckpointsGetCheap) {
  for (const double d : {1.0, 0.01}) {
    const double M = 6 * kHour, exact = exact_interval(d, M);
    EXPECT_NEAR(daly_interval(d, M) / exact, 1, 1e-6);
    EXPECT_NEAR(young_interval(d, M) / exact, 1, std::sqrt(d / M));
    EXPECT_NEAR(daly_first_order_interval(d, M) / exact, 1, std::sqrt(d / M));
  }
  EXPECT_EQ(daly_interval(100, 50), 50);
  EXPECT_EQ(daly_first_order_interval(100, 10), 0);
}

double estimate(std::string_view text, std::vector<Duration> lives, Duration age) {
  CheckpointState state{.since_launch = age};
  state.lives = lives;
  return read_interruption_time(text).estimate(state) / kHour;
}

TEST(InterruptionTime, IsGivenOrEstimatedFromLives) {
  EXPECT_DOUBLE_EQ(read_interruption_time("6h").estimate({}), 6 * kHour);
  EXPECT_DOUBLE_EQ(estimate("mean", {2h, 4h, 12h}, 1h), 6);
  EXPECT_DOUBLE_EQ(estimate("mean:2", {2h, 4h, 12h}, 1h), 8);
  EXPECT_DOUBLE_EQ(estimate("mean", {}, 3h), 3);
  EXPECT_DOUBLE_EQ(estimate("ewma:0.25", {4h, 8h, 1h}, 1h), 0.25 * 1 + 0.75 * 5);
  EXPECT_DOUBLE_EQ(estimate("prior:6h", {}, 2h), 8);
  EXPECT_DOUBLE_EQ(estimate("prior:6h", {2h, 1h}, 3h), 4);
  for (const char* bad : {"", "6", "mean:0", "mean:x", "ewma", "ewma:1", "prior:0", "median"}) {
    EXPECT_THROW(read_interruption_time(bad), std::invalid_argument) << bad;
  }
}

TEST(InterruptionTime, AnInstanceLaunchedJustNowLeavesAPositiveEstimate) {
  EXPECT_GT(estimate("mean", {}, 0s), 0);
  EXPECT_GT(estimate("ewma:0.5", {0s}, 0s), 0);
}

TEST(HazardPlan, IsTheExactIntervalWhenTheDangerIsConstant) {
  for (const double d : {30.0, 300.0}) {
    const double M = 6 * kHour, R = 600;
    const HazardPlan plan({.shape = 1, .scale = M}, d, R);
    const double exact = exact_interval(d, M), work = plan.longest_work();
    for (const double age : {0.0, 1.0 * kHour, 10.0 * kHour}) {
      EXPECT_NEAR(plan.interval(work, age) / exact, 1, 0.1) << d << " at age " << age;
    }
    // The formula's time, and the first restart, which it does not count.
    const double expected = expected_time(work, exact, d, M, R) + M * std::expm1(R / M);
    EXPECT_NEAR(plan.expected_time(work) / expected, 1, 0.002);
  }
}

TEST(HazardPlan, SavesMoreOftenWhileTheDangerIsHigh) {
  const HazardPlan falling({.shape = 0.5, .scale = 3 * kHour}, 60, 600);
  EXPECT_LT(falling.interval(1e9, 0), 0.6 * falling.interval(1e9, 10 * kHour));
  const HazardPlan rising({.shape = 3, .scale = 6 * kHour}, 60, 600);
  EXPECT_GT(rising.interval(1e9, 0), 1.5 * rising.interval(1e9, 8 * kHour));
}

TEST(HazardPlan, NeverPlansBeyondTheEndOfTheWork) {
  const HazardPlan plan({.shape = 0.7, .scale = 6 * kHour}, 60, 600);
  const double piece = plan.longest_work() / 400;
  for (double remaining = 1; remaining < 4 * kHour; remaining += 97) {
    EXPECT_LE(plan.interval(remaining, 0), remaining + piece);
  }
}

TEST(HazardPlan, IsSharedByAllWhoseCostsDifferByLessThanOnePercent) {
  const Weibull life{.shape = 0.7, .scale = 6 * kHour};
  const auto plan = HazardPlan::shared(life, 60, 600);
  EXPECT_EQ(plan, HazardPlan::shared(life, 60.1, 601));
  EXPECT_NE(plan, HazardPlan::shared(life, 63, 600));
  EXPECT_NE(plan, HazardPlan::shared(life, 60, 630));
  EXPECT_NE(plan, HazardPlan::shared({.shape = 0.8, .scale = 6 * kHour}, 60, 600));
  const HazardPlan exact(life, 60, 600);
  for (const double work : {1.0 * kHour, 5.0 * kHour, 12.0 * kHour})
    EXPECT_NEAR(plan->expected_time(work) / exact.expected_time(work), 1, 0.01) << work;
  EXPECT_GT(HazardPlan::shared(life, 60, 0)->interval(1e9, 0), 0);
}

TEST(HazardPlan, ThreadsThatAskForManyPlansGetTheSame) {
  const auto intervals = [] {
    std::vector<double> list;
    for (int i = 0; i < 10; ++i)
      list.push_back(HazardPlan::shared({.shape = 1, .scale = kHour}, 10 + i, 0)->interval(1e9, 0));
    return list;
  };
  std::vector<double> other;
  std::thread thread([&] { other = intervals(); });
  const auto own = intervals();
  thread.join();
  EXPECT_EQ(own, other);
}

}  // namespace
}  // namespace policies
