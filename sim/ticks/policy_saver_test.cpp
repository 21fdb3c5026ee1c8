// Jobs that save by checkpoint policies, over windows of spot capacity.
#include "sim/ticks/policy_saver.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "policies/checkpoint/examples_for_test.h"
#include "sim/kernel/random.h"
#include "sim/ticks/pools.h"
#include "sim/ticks/tick_run.h"
#include "sim/ticks/windows_for_test.h"

namespace sim::ticks {

// For messages.
std::ostream& operator<<(std::ostream& to, const TickOutcome& o) {
  return to << "ticks " << o.ticks << ", worked " << seconds(o.spot_work) << " s, saved "
            << seconds(o.checkpoint) << " s, lost " << seconds(o.lost) << " s, stopped "
            << seconds(o.stopped) << " s, surplus " << seconds(o.surplus) << " s";
}

namespace {

const TickJob kSavingJob{.work = 10h,
                         .deadline = 40h,
                         .changeover = 5min,
                         .tick = 10min,
                         .on_demand = {3'000'000'000},
                         .spot = {1'000'000'000},
                         .checkpoint_cost = 30s,
                         .step = 10s,
                         .notice = {}};

TickOutcome run_saving(TickJob job, const SpotWindow& w, std::string saves,
                       std::string_view policy = "spot-only") {
  job.checkpoint_policy = std::move(saves);
  const auto named = policies::make_acquisition_policy(policy);
  return run_ticks(job, w, *named.policy, named.oracle);
}

// One policy of each kind, and each way to state M.
std::vector<std::string> each_policy() {
  std::vector<std::string> all = policies::example_policies("2h");
  all.insert(all.end(), {"daly:mean", "exact:prior:2h"});
  return all;
}

TEST(PolicySaver, APolicyOfAnIntervalIsTheInterval) {
  Stream draw(1);
  for (int i = 0; i < 200; ++i) {
    const SpotWindow w = drawn_window(draw, 500, 1, 15, {100'000'000});
    TickJob job = kSavingJob;
    job.checkpoint_cost = 10s * static_cast<std::int64_t>(draw.below(20));
    TickJob plain = job;
    const auto minutes = static_cast<std::int64_t>(1 + draw.below(100));
    plain.checkpoint_interval = minutes * 1min;
    for (const char* policy : {"spot-only", "greedy", "uniform-progress"}) {
      const auto named = policies::make_acquisition_policy(policy);
      EXPECT_EQ(run_saving(job, w, "time:" + std::to_string(minutes) + "m", policy),
                run_ticks(plain, w, *named.policy, false))
          << policy << " in " << i;
    }
  }
}

// `adaptive` does not know how long it will be quiet, so all policies are asked after every step.
// With lives of a century it never requests a checkpoint.
TEST(PolicySaver, SkippingQuietStepsChangesNothing) {
  Stream draw(2);
  TickJob job = kSavingJob;
  job.notice = 2min, job.rebalance = 15min;
  for (int i = 0; i < 20; ++i) {
    const SpotWindow w = drawn_window(draw, 500, 1, 15, {100'000'000});
    for (const std::string& policy : each_policy())
      EXPECT_EQ(run_saving(job, w, policy), run_saving(job, w, policy + ",adaptive:876600h"))
          << policy << " in " << i;
  }
}

TEST(PolicySaver, LedgersAddUpForEveryPolicy) {
  Stream draw(3);
  for (int i = 0; i < 50; ++i) {
    const SpotWindow w = drawn_window(draw, 500, 1, 15, {100'000'000});
    TickJob job = kSavingJob;
    job.notice = 30s * static_cast<std::int64_t>(draw.below(30));
    job.rebalance = 60s * static_cast<std::int64_t>(draw.below(30));
    job.step = 7s * static_cast<std::int64_t>(1 + draw.below(20));
    if (draw.below(2)) job.billing = market::Billing::kPerSecond;
    for (const std::string& policy : each_policy())
      for (const char* rent : {"spot-only", "greedy", "uniform-progress"}) {
        const TickOutcome out = run_saving(job, w, policy, rent);
        EXPECT_EQ(out.on_demand_work + out.spot_work + out.changeover + out.checkpoint +
                      out.stopped + out.surplus,
                  (out.on_demand_ticks + out.spot_ticks) * job.tick);
        if (out.finished) {
          EXPECT_EQ(out.on_demand_work + out.spot_work - out.lost, job.work) << policy;
        }
      }
  }
}

TEST(PolicySaver, WhatIsSavedOnNoticeIsNotLost) {
  TickJob job = kSavingJob;
  job.notice = 2min;
  const SpotWindow w{{1, 1, 1, 0, 1, 1, 1, 0}, {}};
  const TickOutcome out = run_saving(job, w, "on-notice");
  EXPECT_EQ(out.lost, Duration::zero());
  EXPECT_EQ(out.checkpoint, 2 * 30s);
  EXPECT_EQ(out.spot_work, 2 * (30min - 5min - 2min));  // a step ends just at the notice
  EXPECT_EQ(out.stopped, 2 * 90s);
  // The checkpoint takes longer than the notice.
  job.checkpoint_cost = 3min;
  EXPECT_EQ(run_saving(job, w, "on-notice").lost, 2 * 23min);
  EXPECT_EQ(run_saving(job, w, "on-notice").checkpoint, Duration::zero());
  // The job gets no notice.
  job.notice = Duration::zero();
  EXPECT_EQ(run_saving(job, w, "on-notice").lost, 2 * 25min);
}

TEST(PolicySaver, ARecommendationComesBeforeTheNotice) {
  TickJob job = kSavingJob;
  job.notice = 2min, job.rebalance = 12min;
  const SpotWindow w{{1, 1, 1, 0}, {}};
  const TickOutcome out = run_saving(job, w, "on-rebalance");
  // 13 minutes of computing, 30 s for the checkpoint, then on to the notice in vain.
  EXPECT_EQ(out.checkpoint, 30s);
  EXPECT_EQ(out.lost, 30min - 5min - 13min - 30s - 2min);
}

TEST(PolicySaver, ARisingPriceIsSeenAtTheTick) {
  const SpotWindow w{{1, 1, 1, 1, 0}, {{1}, {1}, {2}, {2}, {2}}};
  const TickOutcome out = run_saving(kSavingJob, w, "rising-edge");
  EXPECT_EQ(out.checkpoint, 30s);
  EXPECT_EQ(out.lost, 20min - 10s - 30s);  // saved after the first step in the third tick
}

TEST(PolicySaver, OracleLosesNoMoreThanAnyOtherToOneInterruption) {
  Stream draw(4);
  for (int i = 0; i < 100; ++i) {
    TickJob job = kSavingJob;
    job.notice = 10s * static_cast<std::int64_t>(draw.below(20));
    SpotWindow w;
    w.available.assign(1 + draw.below(50), 1);
    w.available.push_back(0);
    const auto kept = [&](const std::string& policy) {
      const TickOutcome out = run_saving(job, w, policy);
      return out.spot_work - out.lost;
    };
    for (const std::string& policy : each_policy())
      EXPECT_GE(kept("oracle"), kept(policy)) << policy << " in " << i;
  }
}

TEST(PolicySaver, ARunOverOnePoolIsTheRunOverItsWindow) {
  Stream draw(5);
  for (int i = 0; i < 30; ++i) {
    TickJob job = kSavingJob;
    job.notice = 2min;
    job.checkpoint_policy = "time:20m,on-notice";
    const SpotWindow w = drawn_window(draw, 500, 1, 15, {100'000'000});
    const Pools one{{{.name = "a", .spot = w}}, {{}}};
    const auto strategy = policies::make_strategy("greedy");
    EXPECT_EQ(run_pools(job, one, *strategy.strategy, false),
              run_saving(job, w, job.checkpoint_policy, "greedy"));
  }
}

}  // namespace
}  // namespace sim::ticks
