#include "sim/ticks/tick_run.h"

#include <gtest/gtest.h>

#include "sim/kernel/random.h"
#include "sim/ticks/kinds_for_test.h"
#include "sim/ticks/optimum.h"
#include "sim/ticks/windows_for_test.h"

namespace sim::ticks {
namespace {

using market::Usd;
using policies::AcquisitionState;
using policies::make_acquisition_policy;
using policies::Rental;

const TickJob kTickJob{.work = 48h,
                       .deadline = 60h,
                       .changeover = 12min,
                       .tick = 10min,
                       .on_demand = {3'060'000'000},
                       .spot = {973'100'000}};

SpotWindow window(const std::string& ticks) { return {.available = written_capacity(ticks)}; }

TickOutcome run(const TickJob& job, const SpotWindow& w, std::string_view policy) {
  const auto named = make_acquisition_policy(policy);
  return run_ticks(job, w, *named.policy, named.oracle);
}

TEST(TickRun, OnDemandPaysWholeTicksOfWorkAndOneChangeover) {
  const TickOutcome out = run(kTickJob, {}, "on-demand");
  EXPECT_TRUE(out.finished);
  EXPECT_EQ(out.ticks, 290);  // 289.2 ticks, and whole ones are billed
  EXPECT_EQ(out.surplus, 8min);
  EXPECT_EQ(out.cost, *market::parse_usd("147.90"));
}

TEST(TickRun, BySecondsAnInterruptedFirstHourIsFreeAndTheLastTickIsNotFull) {
  TickJob job{.work = 30min,
              .deadline = 2h,
              .changeover = 5min,
              .tick = 10min,
              .on_demand = {3'000'000'000},
              .spot = {1'200'000'000}};
  // 15 minutes of work on the first instance, then 15 on the second after its changeover.
  const SpotWindow w = window("0110111");
  EXPECT_EQ(run(job, w, "spot-only").cost, *market::parse_usd("0.80"));
  job.billing = market::Billing::kPerSecond;
  EXPECT_EQ(run(job, w, "spot-only").cost, *market::parse_usd("0.40"));
  job.billing = market::Billing::kPerHour;
  EXPECT_EQ(run(job, w, "spot-only").cost, *market::parse_usd("1.20"));
  EXPECT_EQ(run(job, {}, "on-demand").cost, *market::parse_usd("3.00"));
}

TEST(TickRun, AnInterruptedInstanceIsPaidAfterItsFirstHour) {
  TickJob job = kTickJob;
  job.work = 10h;
  job.billing = market::Billing::kPerSecond;
  const SpotWindow w = window(
      "111111"
      "0"
      "11111"
      "0");
  EXPECT_EQ(run(job, w, "spot-only").cost, job.spot);
}

TEST(TickRun, SpotOnlyWaitsAndEndsUnfinishedWithTheWindow) {
  const TickJob job{.work = 30min,
                    .deadline = 1h,
                    .changeover = 10min,
                    .tick = 10min,
                    .on_demand = {3'000'000'000},
                    .spot = {1'200'000'000}};
  const TickOutcome done = run(job, window("0110111"), "spot-only");
  EXPECT_TRUE(done.finished);
  EXPECT_EQ(done.interruptions, 1);
  EXPECT_EQ(done.launches, 2);
  EXPECT_EQ(done.changeover, 20min);
  EXPECT_EQ(done.cost, *market::parse_usd("1.00"));
  const TickOutcome never = run(job, window("0110110"), "spot-only");
  EXPECT_FALSE(never.finished);
  EXPECT_EQ(never.spot_work, 20min);
}

TEST(TickRun, InterruptionLosesWhatWasComputedSinceTheLastCheckpoint) {
  TickJob job{.work = 1h,
              .deadline = 3h,
              .changeover = 0min,
              .tick = 10min,
              .on_demand = {3'000'000'000},
              .spot = {1'000'000'000},
              .checkpoint_interval = 14min,
              .checkpoint_cost = 2min};
  const TickOutcome out = run(job, window("11101111111"), "spot-only");
  // 30 minutes: 14 computed, 2 saved, 14 computed and lost; then 46 more with three checkpoints.
  EXPECT_EQ(out.lost, 14min);
  EXPECT_EQ(out.checkpoint, 2min + 6min);
  EXPECT_EQ(out.spot_work, 1h + 14min);
  job.checkpoint_interval = 0min;
  EXPECT_EQ(run(job, window("11101111111"), "spot-only").lost, 0min);
}

TEST(TickRun, OnlyTheOracleKnowsHowLongSpotLasts) {
  struct Spy final : policies::AcquisitionPolicy {
    Rental decide(const AcquisitionState& state) override {
      seen.push_back(state.spot_lifetime);
      return Rental::kSpot;
    }
    std::vector<Duration> seen;
  };
  const TickJob job{.work = 40min,
                    .deadline = 1h,
                    .changeover = 0min,
                    .tick = 10min,
                    .on_demand = {3},
                    .spot = {1}};
  Spy told, untold;
  run_ticks(job, window("110111"), told, true);
  run_ticks(job, window("110111"), untold, false);
  EXPECT_EQ(told.seen, (std::vector<Duration>{20min, 10min, 0min, 30min, 20min}));
  EXPECT_EQ(untold.seen, std::vector<Duration>(5, 0min));
}

// Acts at random, independently of the market.
class RandomPolicy final : public policies::AcquisitionPolicy {
 public:
  explicit RandomPolicy(std::uint64_t key) : draw_(key) {}
  Rental decide(const AcquisitionState& state) override {
    EXPECT_EQ(state.tick, next_++);
    if (draw_.below(4) == 0) wish_ = static_cast<Rental>(draw_.below(3));
    return wish_;
  }

 private:
  Stream draw_;
  Rental wish_ = Rental::kIdle;
  std::int64_t next_ = 0;
};

SpotWindow random_window(Stream& draw) {
  SpotWindow w = drawn_window(draw, 600, 1, 3'000'000'000, {1});
  if (draw.below(2)) w.prices.clear();
  return w;
}

TickJob random_tick_job(Stream& draw) {
  TickJob job = kTickJob;
  job.work = from_seconds(60.0 + 1000.0 * static_cast<double>(draw.below(150)));
  job.deadline = job.work + from_seconds(static_cast<double>(draw.below(90'000)));
  job.changeover = 30s * static_cast<std::int64_t>(draw.below(50));
  job.tick = 60s * static_cast<std::int64_t>(1 + draw.below(20));
  if (draw.below(2)) {
    job.checkpoint_interval = 1min * static_cast<std::int64_t>(1 + draw.below(100));
    job.checkpoint_cost = 30s * static_cast<std::int64_t>(draw.below(10));
  }
  return job;
}

void expect_ledgers_add_up(const TickJob& job, const SpotWindow& w, const TickOutcome& out) {
  const Duration billed = (out.on_demand_ticks + out.spot_ticks) * job.tick;
  EXPECT_EQ(out.on_demand_work + out.spot_work + out.changeover + out.checkpoint + out.surplus,
            billed);
  const Duration kept = out.on_demand_work + out.spot_work - out.lost;
  EXPECT_GE(kept, Duration::zero());
  if (out.finished)
    EXPECT_GE(kept, job.work - 1ms);
  else
    EXPECT_LT(kept, job.work - 1ms);
  EXPECT_LE(kept, job.work);
  EXPECT_LE(out.on_demand_ticks + out.spot_ticks, out.ticks);
  EXPECT_LE(out.interruptions, out.launches);
  Usd least = market::charge(job.on_demand, out.on_demand_ticks * job.tick);
  if (w.prices.empty()) {
    const Usd spot = market::charge(job.spot, out.spot_ticks * job.tick);
    EXPECT_NEAR(static_cast<double>(out.cost.nano), static_cast<double>((least + spot).nano), 1.0);
  } else {
    EXPECT_GE(out.cost.nano, least.nano - 1);
  }
}

TEST(TickRun, LedgersAddUpForRandomPoliciesOnRandomTraces) {
  Stream draw(11);
  int finished = 0;
  for (int i = 0; i < 1500; ++i) {
    const TickJob job = random_tick_job(draw);
    const SpotWindow w = random_window(draw);
    RandomPolicy policy(static_cast<std::uint64_t>(i));
    const TickOutcome out = run_ticks(job, w, policy, false);
    expect_ledgers_add_up(job, w, out);
    finished += out.finished;
    if (HasFailure()) FAIL() << i;
  }
  EXPECT_GT(finished, 300);
}

TEST(TickRun, LedgersAddUpForEveryPolicyAndDeadlinesHold) {
  Stream draw(12);
  for (int i = 0; i < 200; ++i) {
    TickJob job = random_tick_job(draw);
    const SpotWindow w = random_window(draw);
    // The deadline leaves time for a changeover at each end, and nothing is lost.
    job.checkpoint_interval = job.checkpoint_cost = Duration::zero();
    job.deadline = job.work + 3 * job.changeover + 3 * job.tick;
    for (const auto& kind : policies::acquisition_policy_kinds()) {
      const std::string text = written(kind);
      const TickOutcome out = run(job, w, text);
      expect_ledgers_add_up(job, w, out);
      if (!heeds_deadline(kind.name)) continue;
      EXPECT_TRUE(out.finished) << text;
      EXPECT_LE(out.ticks * job.tick, job.deadline) << text;
    }
    if (HasFailure()) FAIL() << i;
  }
}

// A policy without knowledge of the future decides the same for any future.
TEST(TickRun, OnlyAnOracleDependsOnTheFuture) {
  Stream draw(13);
  bool oracle_differed = false;
  for (int i = 0; i < 300; ++i) {
    TickJob job = random_tick_job(draw);
    SpotWindow w = random_window(draw), other = random_window(draw);
    w.prices.clear();
    const auto cut =
        static_cast<std::ptrdiff_t>(w.available.empty() ? 0 : draw.below(w.available.size()));
    other.available.insert(other.available.begin(), w.available.begin(), w.available.begin() + cut);
    other.prices.clear();
    for (const auto& kind : policies::acquisition_policy_kinds()) {
      const std::string text = written(kind);
      struct TickRecorder final : policies::AcquisitionPolicy {
        explicit TickRecorder(policies::AcquisitionPolicy& p) : policy(p) {}
        void begin(const policies::AcquisitionJob& j) override { policy.begin(j); }
        Rental decide(const AcquisitionState& s) override {
          decisions.push_back(policy.decide(s));
          return decisions.back();
        }
        policies::AcquisitionPolicy& policy;
        std::vector<Rental> decisions;
      };
      const auto named = make_acquisition_policy(text);
      TickRecorder one(*named.policy), two(*named.policy);
      run_ticks(job, w, one, named.oracle);
      run_ticks(job, other, two, named.oracle);
      const auto n =
          std::min({static_cast<std::size_t>(cut), one.decisions.size(), two.decisions.size()});
      const bool same =
          std::equal(one.decisions.begin(), one.decisions.begin() + static_cast<std::ptrdiff_t>(n),
                     two.decisions.begin());
      if (kind.oracle)
        oracle_differed |= !same;
      else
        EXPECT_TRUE(same) << text << " in " << i;
    }
  }
  EXPECT_TRUE(oracle_differed);  // the test is sensitive enough
}

TEST(Optimum, IsBelowEveryPolicyThatMeetsTheDeadline) {
  Stream draw(14);
  int compared = 0;
  for (int i = 0; i < 300; ++i) {
    TickJob job = random_tick_job(draw);
    if (i % 2) job.billing = market::Billing::kPerSecond;
    const SpotWindow w = random_window(draw);
    const auto optimum = least_cost(job, w);
    const auto compare = [&](const TickOutcome& out, std::string_view name) {
      if (!out.finished || out.ticks * job.tick > job.deadline) return;
      ++compared;
      ASSERT_TRUE(optimum) << name;
      // Bills by the second have fractions of 10^-9 dollars.
      EXPECT_LE(optimum->nano, out.cost.nano + (job.billing ? 1 : 0)) << name << " in " << i;
    };
    for (const auto& kind : policies::acquisition_policy_kinds())
      compare(run(job, w, written(kind)), kind.name);
    for (std::uint64_t k = 0; k < 20; ++k) {
      RandomPolicy policy(k);
      compare(run_ticks(job, w, policy, false), "random");
    }
  }
  EXPECT_GT(compared, 500);
}

}  // namespace
}  // namespace sim::ticks
