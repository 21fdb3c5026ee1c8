// Whole runs with fiber guests and faults.
#include <gtest/gtest.h>

#include "sim/run/fiber_run_for_test.h"

namespace sim::run {
namespace {

// The shipped scenario with these faults, without what it expects of its result.
Scenario with_faults(const std::string& name, const std::string& faults) {
  std::ostringstream text;
  text << std::ifstream(kScenarios / (name + ".yaml")).rdbuf();
  Scenario scenario =
      parse_scenario(text.str() + "\nfaults: " + faults + "\n", kScenarios / (name + ".yaml"));
  scenario.expect.clear();
  return scenario;
}

std::string outcome(const Played& played) { return played.report.result->outcome; }

TEST(FaultRun, APlanThatNeverStrikesLeavesTheLogAsItIs) {
  const auto without_start = [](Played played) {
    played.lines.erase(played.lines.begin());  // which has the scenario's hash
    return played.lines;
  };
  EXPECT_EQ(
      without_start(play(with_faults("az-hop",
                                     "[{on: {event: trainer.step, step: 9999999}, kind: power-cut},"
                                     " {before_call: {action: DescribeZones}, kind: api-error},"
                                     " {on_metadata: {path: /none}, kind: imds-down}]"))),
      without_start(play(shipped("az-hop"))));
}

TEST(FaultRun, TheSamePlanAndSeedGiveTheSameLog) {
  const Scenario scenario =
      with_faults("az-hop",
                  "[{every: 20m, kind: power-cut, chance: 0.5},"
                  " {every: 7m, kind: api-throttled, times: 3},"
                  " {on: {event: trainer.checkpoint-begin, nth: 2}, kind: interrupt, notice: 3s},"
                  " {before_call: {action: CreateVolume}, kind: api-lost-answer}]");
  const Played first = play(scenario), second = play(scenario);
  EXPECT_EQ(first.lines, second.lines);
  EXPECT_EQ(first.report.fingerprint, second.report.fingerprint);
  EXPECT_FALSE(told(first, "fault.strike").empty());
}

// A job gets over each of these, wherever they come.
class GotOver : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(
    FaultRun, GotOver,
    testing::Values("{on: {event: trainer.step, step: 100}, kind: power-cut}",
                    "{on: {event: trainer.step, step: 100}, kind: interrupt, notice: 1s}",
                    "{on: {event: trainer.step, step: 100}, kind: rebalance}",
                    "{on: {event: trainer.step, step: 100}, kind: disk-full, for: 5m}",
                    "{before_call: {action: DescribeVolumes}, kind: api-error}",
                    "{before_call: {action: DescribeVolumes}, kind: api-lost-answer}",
                    "{before_call: {action: DescribeVolumes}, kind: api-slow}",
                    "{before_call: {action: AttachVolume}, kind: api-throttled, times: 2}",
                    "{on: {event: instance.boot}, kind: imds-slow, delay: 1s, times: 3}",
                    "{at: 0s, kind: slow, transition: volume-attaching, takes: 4m}"),
    [](const auto& one) { return std::to_string(one.index); });

TEST_P(GotOver, AndEnds) {
  const Played played = play(with_faults("no-interruption", "[" + std::string(GetParam()) + "]"));
  EXPECT_EQ(told(played, "fault.strike").size(), 1U);
  EXPECT_EQ(outcome(played), "completed");
}

TEST(FaultRun, ACheckpointOnAFullDiskFailsAndTheNextOneHolds) {
  const Played played = play(with_faults(
      "no-interruption", "[{on: {event: trainer.checkpoint-begin}, kind: disk-full, for: 1m}]"));
  const auto failed = told(played, "trainer.checkpoint-failed");
  ASSERT_FALSE(failed.empty());
  EXPECT_EQ(failed[0].fields.at("why"), "No space left on device");
  const auto durable = told(played, "trainer.checkpoint-durable");
  ASSERT_FALSE(durable.empty());
  EXPECT_GT(durable[0].fields.at("step"), failed[0].fields.at("step"));
  EXPECT_EQ(outcome(played), "completed");
}

TEST(FaultRun, ADamagedCheckpointIsRejectedAndTheOneBeforeTaken) {
  const Played played = play(with_faults(
      "no-interruption",
      "[{on: {event: trainer.checkpoint-durable, nth: 2, after: 1s}, kind: damage-file, path: x},"
      " {on: {event: trainer.checkpoint-durable, nth: 2, after: 2s}, kind: power-cut}]"));
  const auto durable = told(played, "trainer.checkpoint-durable");
  const auto rejected = told(played, "trainer.checkpoint-rejected");
  const auto starts = told(played, "trainer.start");
  ASSERT_EQ(rejected.size(), 1U);
  ASSERT_EQ(starts.size(), 2U);
  EXPECT_TRUE(contains(rejected[0].fields.at("checkpoint").get<std::string>(),
                       durable.at(1).fields.at("step").dump()));
  EXPECT_EQ(starts[1].fields.at("step"), durable.at(0).fields.at("step"));
}

TEST(FaultRun, AKilledTrainerEndsAJobThatDoesNotRestartIt) {
  const Played played = play(with_faults(
      "no-interruption", "[{on: {event: trainer.step, step: 100}, kind: trainer-crash}]"));
  EXPECT_EQ(told(played, "trainer.step").back().fields.at("step"), 100);
  EXPECT_EQ(outcome(played), "failed");
}

TEST(FaultRun, ATrainerThatHangsMakesNoStepAnyMore) {
  const Played played = play(with_faults(
      "no-interruption", "[{on: {event: trainer.step, step: 100}, kind: trainer-hang}]"));
  EXPECT_EQ(told(played, "trainer.step").back().fields.at("step"), 100);
  EXPECT_NE(outcome(played), "completed");
}

TEST(FaultRun, StaleDescriptionsAndLateTagsDelayAHop) {
  for (const char* const fault :
       {"{before_call: {action: DescribeVolumes, caller: 2}, kind: stale-describe, for: 20s}",
        "{before_call: {action: CreateVolume}, kind: tags-late, takes: 20s}"}) {
    const Played played = play(with_faults("az-hop", std::string("[") + fault + "]"));
    EXPECT_EQ(told(played, "fault.strike").size(), 1U) << fault;
    EXPECT_EQ(outcome(played), "completed") << fault;
  }
}

}  // namespace
}  // namespace sim::run
