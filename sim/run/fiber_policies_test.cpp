// Which facts checkpoint policies receive in a run with fiber guests, and which facts they do not
// receive.
#include <gtest/gtest.h>

#include <cmath>

#include "policies/checkpoint/examples_for_test.h"
#include "sim/run/fiber_run_for_test.h"

namespace sim::run {
namespace {

const market::Pool kPool{"p3.2xlarge", "us-west-2b"};  // 3.06 on demand

scenario::Scenario with_policy(const std::string& policy,
                               const std::string& scenario = "hard-kill") {
  return changed(scenario, "\"epoch,on-notice\"", "\"" + policy + "\"");
}

struct Price {
  Duration after;
  double dollars;
};
void set_prices(scenario::Scenario& scenario, const std::vector<Price>& prices) {
  auto& points = scenario.prices.pools[kPool];
  points.clear();
  for (const Price& price : prices) {
    points.push_back({scenario.start + price.after,
                      market::Usd{static_cast<std::int64_t>(std::llround(price.dollars * 1e9))}});
  }
}

// The times of the first instance's saves for this reason, in seconds since the run's start.
std::vector<double> saves(const Played& played, const scenario::Scenario& scenario,
                          const std::string& reason) {
  std::vector<double> at;
  for (const Event& event : told(played, "trainer.checkpoint-begin")) {
    if (event.fields["reason"] == reason) at.push_back(seconds(event.time - scenario.start));
  }
  return at;
}

// Expects one save in the step after each time of `at`.
void expect_in_the_step_after(const std::vector<double>& saved, const std::vector<Duration>& at) {
  ASSERT_EQ(saved.size(), at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    EXPECT_GE(saved[i], seconds(at[i]));
    EXPECT_LE(saved[i], seconds(at[i]) + 4.51);
  }
}

// `oracle` saves nothing if no interruption comes. If it is among the policies, all are asked after
// every step.
TEST(FiberPolicies, ThoseThatStateTheirQuietTimeSaveAsIfAskedAfterEveryStep) {
  const auto lines = [](const std::string& policy) {
    scenario::Scenario scenario = with_policy(policy, "no-interruption");
    set_prices(scenario, {{0s, 0.8}, {50min, 2.2}, {60min, 1.5}, {70min, 2.6}, {80min, 2.6}});
    auto all = play(scenario).lines;
    all.erase(all.begin());  // run.start has the policy's name
    return all;
  };
  for (const std::string& policy : policies::example_policies("2h")) {
    if (policy == "oracle") continue;
    EXPECT_EQ(lines(policy), lines(policy + ",oracle")) << policy;
  }
}

TEST(FiberPolicies, PoliciesOfPricesSeeThemChange) {
  const auto saved_by = [](const std::string& policy) {
    scenario::Scenario scenario = with_policy(policy, "no-interruption");
    set_prices(scenario, {{0s, 0.8}, {50min, 2.2}, {60min, 1.5}, {70min, 2.6}, {80min, 2.6}});
    return saves(play(scenario), scenario, policy);
  };
  expect_in_the_step_after(saved_by("rising-edge"), {50min, 70min});
  // The bid is the on-demand price: 3.06·(1 − 0.2) = 2.448.
  expect_in_the_step_after(saved_by("threshold:0.2"), {70min});
  // (0.8 + 3.06) ÷ 2 = 1.93, in the second hour (5·1.5 + 4·0.8) ÷ 9 in the place of 0.8: 2.12.
  expect_in_the_step_after(saved_by("eic"), {50min, 70min});
}

TEST(FiberPolicies, TheBidIsTheRequestsMaximumPrice) {
  scenario::Scenario scenario = with_policy("rising-edge", "no-interruption");
  set_prices(scenario, {{0s, 0.8}, {50min, 2.2}, {70min, 3.06}});
  expect_in_the_step_after(saves(play(scenario), scenario, "rising-edge"), {50min});
}

TEST(FiberPolicies, ARebalanceRecommendationIsSeenInTheStepAfterIt) {
  scenario::Scenario scenario = with_policy("on-rebalance", "az-hop");
  scenario.interruptions.at(0).arguments.set("rebalance", Duration(10min));
  expect_in_the_step_after(saves(play(scenario), scenario, "on-rebalance"), {78min - 10min});
}

TEST(FiberPolicies, AProgramsClockIsTheTimeSince1970) {
  const fs::path folder = fs::path(testing::TempDir()) / "spotsim-policy-clock";
  fs::create_directories(folder);
  std::ofstream(folder / "policy.sh") << R"(#!/bin/sh
while read -r line; do
  [ -s "$1" ] || echo "$line" > "$1"
  echo '{"save": "no"}'
done)";
  fs::permissions(folder / "policy.sh", fs::perms::owner_all);
  const scenario::Scenario scenario =
      with_policy("command:" + (folder / "policy.sh").string() + " " + (folder / "seen").string());
  fs::remove(folder / "seen");  // what the program received before the run
  const Played played = play(scenario);
  const Json first = Json::parse(std::ifstream(folder / "seen"));
  EXPECT_NEAR(first["now"].get<double>(),
              seconds(told(played, "trainer.step").at(0).time.time_since_epoch()), 1e-3);
  fs::remove_all(folder);
}

// The steps that az-hop loses if a checkpoint takes this time to write.
std::int64_t lost_with(const std::string& policy, std::int64_t write_seconds) {
  scenario::Scenario scenario = with_policy("steps:640," + policy, "az-hop");
  scenario.trainer->checkpoint_bytes = write_seconds << 27;  // at 128 MiB/s
  return play(scenario).report.result->lost_steps;
}

TEST(FiberPolicies, TheRemainingTimeOfANoticeDecidesWhatIsTried) {
  for (const std::string policy : {"on-notice", "grace"}) {
    EXPECT_EQ(lost_with(policy, 60), 0) << policy;
    EXPECT_GT(lost_with(policy, 600), 0) << policy;
  }
  // At least 110 of the 120 s remain. One policy does not try a save. The other policy tries,
  // because 80 % of the checkpoint fits. Its save is cut off 20 s before the end, when spotrun
  // unmounts the volume.
  const auto tried = [](const std::string& policy) {
    scenario::Scenario scenario = with_policy("steps:640," + policy, "az-hop");
    scenario.trainer->checkpoint_bytes = std::int64_t{125} << 27;
    return saves(play(scenario), scenario, policy).size();
  };
  EXPECT_EQ(tried("on-notice"), 0u);
  EXPECT_EQ(tried("grace"), 1u);
}

TEST(FiberPolicies, EarlierLivesAreMeasuredFromLaunchToInterruption) {
  // Young's interval √(2dM) with d = 2 s. M is the mean of the instances' lives so far, known after
  // the second interruption.
  scenario::Scenario scenario = with_policy("young:mean");
  scenario.trainer->save_mode = guest::SaveMode::kAsync;
  scenario.trainer->snapshot_time = 2s;
  interrupt(scenario,
            "[{instance: 2, after: 20m, notice: none}, {instance: 3, after: 50m, notice: none}]");
  const Played played = play(scenario);
  const auto& attempts = played.report.result->attempts;
  ASSERT_EQ(attempts.size(), 3u);
  double mean = 0;
  for (int i = 0; i < 2; ++i) mean += seconds(*attempts[i].ended_at - attempts[i].launched_at) / 2;
  std::vector<std::int64_t> steps;
  for (const Event& event : told(played, "trainer.checkpoint-begin")) {
    if (event.fields["instance_id"] == attempts[2].instance_id)
      steps.push_back(event.fields["step"].get<std::int64_t>());
  }
  ASSERT_GT(steps.size(), 5u);
  const auto interval = static_cast<std::int64_t>(std::ceil(std::sqrt(2 * 2 * mean) / 4.5));
  // The first checkpoint is saved at once, to measure its cost. The last one is at the end of the
  // training.
  for (std::size_t i = 2; i + 1 < steps.size(); ++i) EXPECT_EQ(steps[i] - steps[i - 1], interval);
}

struct Strike {
  const char* name;
  void (*add)(scenario::Scenario&);
  std::int64_t most_lost;  // with a notice: steps until spotrun sees it and the current step ends
};
class Oracle : public testing::TestWithParam<Strike> {};
INSTANTIATE_TEST_SUITE_P(
    FiberPolicies, Oracle,
    testing::Values(
        Strike{"ofAPool", [](scenario::Scenario&) {}, 0},
        Strike{"ofAnInstance",
               [](scenario::Scenario& s) {
                 interrupt(s, "[{instance: 2, after: 61m, notice: none}]");
               },
               0},
        Strike{"atTheEndOfALife",
               [](scenario::Scenario& s) { interrupt(s, "[{lifetime: 40m, notice: none}]"); }, 0},
        Strike{"byCapacity",
               [](scenario::Scenario& s) {
                 s.interruptions.clear();
                 s.capacity.push_back({.pool = kPool, .after = 63min, .slots = 0, .reclaim = true});
               },
               2},
        Strike{"byPrice",
               [](scenario::Scenario& s) {
                 s.interruptions.clear();
                 set_prices(s, {{0s, 0.8}, {64min, 3.5}, {65min, 0.8}});
               },
               2}),
    [](const auto& strike) { return std::string(strike.param.name); });

TEST_P(Oracle, SavesAtTheLastStepBeforeTheInterruptionWhateverItsCause) {
  scenario::Scenario scenario = with_policy("oracle");
  GetParam().add(scenario);
  const Played played = play(scenario);
  EXPECT_EQ(played.report.result->outcome, "completed");
  const std::size_t struck = told(played, "instance.interrupted").size();
  EXPECT_GE(struck, 1u);
  EXPECT_LE(played.report.result->lost_steps,
            GetParam().most_lost * static_cast<std::int64_t>(struck));
  // After each trainer's first step the policy knows a checkpoint's cost. The end is saved, too.
  EXPECT_LE(told(played, "trainer.checkpoint-begin").size(), 2 * (struck + 1));
}

// The time at which hard-kill ends if checkpoints take this time to write and one instance is
// struck.
Time done_with(const std::string& policy, std::int64_t write_seconds, Duration at, Duration notice,
               guest::SaveMode mode) {
  scenario::Scenario scenario = with_policy(policy);
  interrupt_at(scenario, at);
  scenario.interruptions.at(0).arguments.set("notice", notice);
  scenario.trainer->checkpoint_bytes = write_seconds << 27;  // at 128 MiB/s
  scenario.trainer->save_mode = mode;
  scenario.trainer->snapshot_time = 2s;
  scenario.limit = 24h;
  const Played played = play(scenario);
  EXPECT_EQ(played.report.result->outcome, "completed") << policy;
  return told(played, "trainer.finished").at(0).time;
}

TEST(FiberPolicies, NoneBeatsTheOracleIfThereIsOneInterruption) {
  for (const auto mode : {guest::SaveMode::kSync, guest::SaveMode::kAsync}) {
    for (const Duration notice : {Duration(2min), Duration{}}) {
      // The volume has room for four checkpoints of 190 s, which is the most that exist at a time.
      for (const std::int64_t write : {1, 40, 105, 190}) {
        for (const Duration at : {Duration(40min), Duration(67min + 13s)}) {
          const Time oracle = done_with("oracle", write, at, notice, mode);
          for (const std::string policy :
               {"none", "on-notice", "grace", "steps:37", "time:10m,on-notice", "young:1h"}) {
            const Time other = done_with(policy, write, at, notice, mode);
            EXPECT_LE(oracle - other, Duration{})
                << policy << " by " << seconds(oracle - other) << " s; a checkpoint takes " << write
                << " s, struck after " << format_duration(at)
                << (notice > Duration{} ? " with notice" : "")
                << (mode == guest::SaveMode::kSync ? ", sync" : ", async");
          }
        }
      }
    }
  }
}

// All events before the strike.
std::vector<std::string> past_of(const scenario::Scenario& scenario, Duration until) {
  const Played played = play(scenario);
  std::vector<std::string> past;
  for (const std::string& line : played.lines) {
    const Event event = parse_event(line);
    if (event.time >= scenario.start + until) break;
    if (event.kind != "run.start") past.push_back(line);
  }
  return past;
}

TEST(FiberPolicies, NoneButTheOracleActsOnTheFuture) {
  constexpr Duration kStrike = 78min;
  for (const policies::CheckpointPolicyKind& kind : policies::checkpoint_policy_kinds()) {
    if (kind.name == "command") continue;
    const std::string policy = policies::example_of(kind, "mean");
    // Two worlds that are equal until 78 minutes. Afterwards only the second world is struck, and
    // prices differ.
    scenario::Scenario calm = with_policy(policy), struck = calm;
    set_prices(calm, {{0s, 0.8}, {60min, 1.2}, {79min, 2.0}});
    set_prices(struck, {{0s, 0.8}, {60min, 1.2}, {78min, 1.1}, {80min, 3.5}});
    calm.interruptions.clear();
    const auto past = past_of(calm, kStrike);
    EXPECT_GT(past.size(), 500u);
    EXPECT_EQ(past == past_of(struck, kStrike), kind.name != "oracle") << policy;
  }
}

}  // namespace
}  // namespace sim::run
