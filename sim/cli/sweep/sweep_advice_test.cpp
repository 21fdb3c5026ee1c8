#include "sim/cli/sweep/sweep_advice.h"

#include <gtest/gtest.h>

#include "sim/cli/sweep/advice_words.h"
#include "sim/cli/sweep/sweep_command_for_test.h"

namespace sim::cli {
namespace {

class SweepAdvice : public SweepOnTheCommandLine {
 protected:
  // The advice that is printed below the table of this sweep.
  std::string of(const std::string& yaml) {
    fs::remove_all(folder_ / "out");
    write(yaml);
    EXPECT_EQ(sweep("", "out"), 0) << err_;
    const std::string end = "summary.csv.\n\n";
    const std::size_t at = out_.find(end);
    return at == out_.npos ? "" : out_.substr(at + end.size());
  }
};

const std::string kDrawn = R"(
job:
  work: 8h
  deadline: 16h
  changeover: 12m
  tick: 10m
  checkpoints: [{interval: 15m, cost: 2m}, {interval: 1h, cost: 2m}]
prices: {on_demand: 3.06, spot: 0.9731}
traces: [{draw: {up: 3h, down: 1h, length: 30h, count: 50, seed: 5}}]
)";

TEST_F(SweepAdvice, OfPoliciesRecommendsHowToSaveAndWhatToRent) {
  EXPECT_EQ(of("name: s\npolicies: [on-demand, greedy, uniform-progress, optimum]\n" + kDrawn),
            "Advice\n"
            "  save every 15m, rent with uniform-progress; expect $13.21 ± 1.03, done in 12h11m, "
            "late 0.0 %; next best,\n"
            "    within ±: save every 1h, $13.45 ± 1.21; the optimum with perfect foresight: "
            "$7.41\n");
}

TEST_F(SweepAdvice, AnOracleIsNotAdvised) {
  EXPECT_EQ(of("name: s\npolicies: [uniform-progress, uniform-progress-oracle]\n" + kDrawn),
            "Advice\n"
            "  save every 15m, rent with uniform-progress; expect $13.21 ± 1.03, done in 12h11m, "
            "late 0.0 %; next best,\n"
            "    within ±: save every 1h, $13.45 ± 1.21; with perfect foresight, rent with "
            "uniform-progress-oracle:\n"
            "    $12.59\n");
}

TEST_F(SweepAdvice, OfWholeScenariosIsForEachSetting) {
  EXPECT_EQ(
      of("name: whole\nscenario: " SPOTSIM_SOURCE_DIR "/scenarios/no-interruption.yaml\n"
         "set: {interruptions: [{lifetime: 1h, notice: none}], limit: 24h}\n"
         "vary: {trainer.steps: [640, 1280]}\n"
         "compare: {trainer.policy: [oracle, epoch, \"time:10m\"]}\n"
         "seeds: 1-5\n"),
      "Advice\n"
      "  trainer.steps=640: save every epoch; expect $0.4561 ± 0.3543, done in 56m, late 0.0 "
      "%; next best, within ±:\n"
      "    save every 10m, $0.4883 ± 0.3405; with perfect foresight, save by oracle: $0.4158\n"
      "  trainer.steps=1280: save every epoch; expect $1.10 ± 0.51, done in 1h45m, late 0.0 "
      "%; next best, within ±:\n"
      "    save every 10m, $1.15 ± 0.45; with perfect foresight, save by oracle: $1.05\n");
}

TEST_F(SweepAdvice, OfWholeScenariosNamesTheOtherComparedKeys) {
  EXPECT_EQ(of("name: whole\nscenario: " SPOTSIM_SOURCE_DIR "/scenarios/no-interruption.yaml\n"
               "compare: {deadline: [2h, 6h]}\n"),
            "Advice\n"
            "  save every epoch and on notice, with deadline=6h; expect $1.96, done in 2h9m, late "
            "0.0 %; next best: with\n"
            "    deadline=2h, $1.96, late 100.0 %\n");
}

TEST_F(SweepAdvice, OfAFailingJobRecommendsAnInterval) {
  EXPECT_EQ(
      of(R"(name: often
failing_job: {work: 100h, checkpoint: 5m, restart: 10m, mean: [6h, 24h], price: 3.06,
  intervals: [daly, exact, 3h]}
seeds: 1-50
)"),
      "Advice\n"
      "  mean=6h: save every 56m43s; expect $370.83 ± 3.18, done in 121h11m; next best, within ±: "
      "daly, $370.84 ±\n    3.18\n"
      "  mean=24h: save every 1h56m41s; expect $334.02 ± 1.95, done in 109h9m; next best, within "
      "±: "
      "daly, $334.02 ±\n    1.95\n");
}

TEST_F(SweepAdvice, NamesThePoolsAndThatNoneIsInTime) {
  const std::string trace = SPOTSIM_SOURCE_DIR "/scenarios/traces/skynomad/v100/us-east-1";
  const std::string yaml = R"(
job: {work: 20h, deadline: 24h, changeover: 12m, tick: 10m}
prices: {on_demand: 3.06, spot: 0.9731}
traces:
  - {market: pair, length: 48h, count: 20, seed: 1, pools: [)" +
                           trace + "a_v100_1.json.gz, " + trace + "c_v100_1.json.gz]}\n";
  EXPECT_EQ(of("name: s\npolicies: [spot-only, spot-only+lowest-price]\n" + yaml),
            "Advice\n"
            "  rent v100_1 with spot-only+lowest-price over us-east-1a, us-east-1c; expect $20.02 "
            "± 6.01, done in 35h19m by\n"
            "    9 of 20 runs, late 95.0 % (no variant meets the allowed 0.0 %); next best: rent "
            "with spot-only, $7.09 ±\n"
            "    6.29, late 100.0 %\n");
  EXPECT_EQ(of("name: t\npolicies: [spot-only]\nlate_allowed: 1\n" + yaml),
            "Advice\n"
            "  rent v100_1 with spot-only in us-east-1a; expect $7.09 ± 6.29, never done, late "
            "100.0 %\n");
}

TEST_F(SweepAdvice, IsNotGivenIfAllPoliciesAreOracles) {
  EXPECT_EQ(of("name: s\npolicies: [uniform-progress-oracle, optimum]\n" + kDrawn), "");
}

TEST(AdviceWords, DescribeHowCheckpointPoliciesSave) {
  for (const auto& [policy, words] :
       {std::pair{"time:37m,on-notice", "every 37m and on notice"},
        {"epoch", "every epoch"},
        {"steps:20", "every 20 steps"},
        {"on-notice", "on notice only"},
        {"none", "at the end only"},
        {"daly:prior:2h,on-rebalance", "by daly:prior:2h and on a rebalance recommendation"},
        {"command:'a, b.py' -x", "when 'a, b.py' -x says so"}})
    EXPECT_EQ(saving(policy), words);
}

TEST(AdviceWords, ShowSmallSumsInHundredthsOfACent) {
  EXPECT_EQ(dollars(61.2), "$61.20");
  EXPECT_EQ(dollars(0.04321), "$0.0432");
  EXPECT_EQ(dollars({.n = 9, .mean = 61.2, .half_width_95 = 1.049}), "$61.20 ± 1.05");
}

}  // namespace
}  // namespace sim::cli
