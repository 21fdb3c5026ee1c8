// Whole runs with fiber guests and faults.
#include <gtest/gtest.h>

#include "sim/run/fiber_run_for_test.h"

namespace sim::run {
namespace {

// The shipped scenario with these faults instead of its own, and without its expectations.
scenario::Scenario with_faults(const std::string& name, const std::string& faults) {
  std::ostringstream text;
  text << std::ifstream(kScenarios / (name + ".yaml")).rdbuf();
  scenario::Scenario scenario = scenario::parse_scenario(text.str() + "\nfaults: " + faults + "\n",
                                                         kScenarios / (name + ".yaml"));
  scenario.expect.clear();
  return scenario;
}

std::string outcome(const Played& played) { return played.report.result->outcome; }

TEST(FaultRun, APlanThatNeverStrikesLeavesTheLogAsItIs) {
  const auto without_start = [](Played played) {
    played.lines.erase(played.lines.begin());  // the first line has the scenario's hash
    return played.lines;
  };
  EXPECT_EQ(without_start(play(
                with_faults("az-hop",
                            "[{on: {event: trainer.step, step: 9999999}, kind: power-cut},"
                            " {before_call: {action: CancelSpotInstanceRequests}, kind: api-error},"
                            " {on_metadata: {path: /none}, kind: imds-down}]"))),
            without_start(play(shipped("az-hop"))));
}

TEST(FaultRun, TheSamePlanAndSeedGiveTheSameLog) {
  const scenario::Scenario scenario =
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

// Faults that a job survives at any point.
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
                    "{at: 0s, kind: slow, transition: volume-attaching, takes: 4m}",
                    "{on: {event: instance.boot}, kind: clock-skew, by: 1h, for: 10h}",
                    "{on: {event: instance.boot}, kind: clock-skew, direction: behind, for: 10h}",
                    "{before_call: {action: AttachVolume}, kind: credentials-expired}",
                    "{before_call: {action: AttachVolume}, kind: api-expired, for: 2m}"),
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

// The job's volume has 100 GiB. The trainer keeps the last three checkpoints.
TEST(FaultRun, ACheckpointThatTheVolumeHasNoRoomForIsNotSaved) {
  for (const auto& [gigabytes, fit] : {std::pair(200, 0U), std::pair(30, 3U)}) {
    const Played played =
        play(changed("no-interruption", "checkpoint_bytes: 35792",
                     "checkpoint_bytes: " + std::to_string(gigabytes) + "000000000"));
    EXPECT_EQ(told(played, "trainer.checkpoint-durable").size(), fit);
    const auto failed = told(played, "trainer.checkpoint-failed");
    ASSERT_FALSE(failed.empty());
    EXPECT_EQ(failed[0].fields.at("why"), "No space left on device");
    EXPECT_EQ(outcome(played), "failed");
  }
}

TEST(FaultRun, TrainingDataThatTheVolumeHasNoRoomForFailThePreparation) {
  const Played played =
      play(changed("no-interruption", "data_bytes: 7866880", "data_bytes: 200000000000"));
  EXPECT_EQ(outcome(played), "failed");
  EXPECT_TRUE(told(played, "trainer.start").empty());
}

TEST(FaultRun, ADamagedCheckpointIsRejectedAndThePreviousOneTaken) {
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

TEST(FaultRun, AHungTrainerMakesNoMoreSteps) {
  const Played played = play(with_faults(
      "no-interruption", "[{on: {event: trainer.step, step: 100}, kind: trainer-hang}]"));
  EXPECT_EQ(told(played, "trainer.step").back().fields.at("step"), 100);
  EXPECT_NE(outcome(played), "completed");
}

// The scenario no-interruption with these faults, two restarts, and a train.hang_timeout of 20
// minutes.
scenario::Scenario with_hang_timeout(const std::string& faults) {
  scenario::Scenario scenario =
      changed("no-interruption", "files: cifar10-job", "files: watched-job");
  scenario::Scenario with = with_faults("no-interruption", faults);
  scenario.faults = with.faults;
  scenario.expect.clear();
  return scenario;
}

TEST(FaultRun, AHungTrainerIsRestartedIfTheJobPermitsIt) {
  const Played played =
      play(with_hang_timeout("[{on: {event: trainer.step, step: 100}, kind: trainer-hang}]"));
  EXPECT_EQ(outcome(played), "completed");
  const auto starts = told(played, "trainer.start");
  ASSERT_EQ(starts.size(), 2U);
  const auto last = told(played, "trainer.checkpoint-durable");
  std::vector<Event> before;
  for (const Event& event : last)
    if (event.time < starts[1].time) before.push_back(event);
  EXPECT_EQ(starts[1].fields.at("step"), before.back().fields.at("step"));
  const Duration waited = starts[1].time - before.back().time;
  EXPECT_GE(waited, 20min);
  EXPECT_LE(waited, 20min + 80s);
}

// Polls that find nothing are ignored.
TEST(FaultRun, AWatchedFolderChangesNoLog) {
  const scenario::Scenario scenario =
      with_hang_timeout("[{on: {event: trainer.step, step: 100}, kind: trainer-hang}]");
  const auto without_calls = [](std::vector<std::string> lines) {
    std::erase_if(lines, [](const std::string& line) { return contains(line, "api.call"); });
    return lines;
  };
  const Played quiet = play(scenario);
  const Played every = play(scenario, [](RunOptions& options) { options.every_poll = true; });
  EXPECT_TRUE(without_calls(quiet.lines) == without_calls(every.lines));
  EXPECT_LT(quiet.metadata_requests * 4, every.metadata_requests);
}

// The machine's clock jumps, but the hang timeout uses another clock.
TEST(FaultRun, AWrongClockMakesNoTrainerHang) {
  const Played played = play(with_hang_timeout(
      "[{on: {event: trainer.step, step: 200}, kind: clock-skew, by: 1h, for: 20m}]"));
  EXPECT_EQ(told(played, "trainer.start").size(), 1U);
  EXPECT_EQ(outcome(played), "completed");
}

TEST(FaultRun, ADivergedTrainingSavesNothingMoreAndContinuesFromTheLastCheckpoint) {
  const Played played =
      play(with_hang_timeout("[{on: {event: trainer.step, step: 100}, kind: bad-memory}]"));
  const auto diverged = told(played, "trainer.diverged");
  ASSERT_EQ(diverged.size(), 1U);
  const auto starts = told(played, "trainer.start");
  ASSERT_EQ(starts.size(), 2U);
  EXPECT_LT(starts[1].fields.at("step"), diverged[0].fields.at("step"));
  EXPECT_EQ(outcome(played), "completed");
}

TEST(FaultRun, CheckpointsOnAReadOnlyVolumeFail) {
  for (const auto& [kind, why] : {std::pair("read-only", "Read-only file system"),
                                  std::pair("disk-errors", "Input/output error")}) {
    const Played played =
        play(with_faults("no-interruption", std::string("[{on: {event: trainer.step, step: 100}, "
                                                        "kind: ") +
                                                kind + "}]"));
    const auto failed = told(played, "trainer.checkpoint-failed");
    ASSERT_FALSE(failed.empty()) << kind;
    EXPECT_EQ(failed[0].fields.at("why"), why);
    EXPECT_EQ(outcome(played), "failed") << kind;
  }
}

TEST(FaultRun, ASlowRestoreDelaysTheStartAfterAHop) {
  const auto second_start = [](const std::string& faults) {
    return told(play(with_faults("az-hop", faults)), "trainer.start").at(1).time;
  };
  const Duration later =
      second_start(
          "[{before_call: {action: CreateVolume, caller: 3}, kind: slow-restore, "
          "factor: 1000}]") -
      second_start("[]");
  EXPECT_GT(later, 5min);
}

// Two steps of 4.5 s before the second save.
TEST(FaultRun, PausedIoDelaysTheNextCheckpoint) {
  const auto save = [](const std::string& faults) {
    const Played played = play(with_faults("no-interruption", faults));
    EXPECT_EQ(outcome(played), "completed");
    return told(played, "trainer.checkpoint-durable").at(1).time -
           told(played, "trainer.checkpoint-begin").at(1).time;
  };
  EXPECT_EQ(
      save("[{on: {event: trainer.step, step: 126}, kind: pause-volume-io, for: 3m}]") - save("[]"),
      3min - 9s);
}

// The third mount is the replacement's.
TEST(FaultRun, PausedIoDelaysAMount) {
  const auto second_start = [](const std::string& faults) {
    return told(play(with_faults("az-hop", faults)), "trainer.start").at(1).time;
  };
  const Duration later = second_start(
                             "[{on: {event: orchestrator.phase, name: mount, nth: 3}, kind: "
                             "pause-volume-io, for: 3m}]") -
                         second_start("[]");
  EXPECT_GT(later, 179s);
  EXPECT_LT(later, 185s);
}

TEST(FaultRun, ASnapshotThatFailsIsNoCheckpoint) {
  const Played played = play(
      with_faults("checkpoint-tiers",
                  "[{on: {event: snapshot.state, to: pending, nth: 2}, kind: snapshot-error}]"));
  const auto failed = told(played, "trainer.checkpoint-failed");
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_EQ(failed[0].fields.at("why"), "its snapshot failed");
  EXPECT_EQ(outcome(played), "completed");
}

// The run does not end while its only instance is stopped.
TEST(FaultRun, AStoppedInstanceStartsAgainAlthoughNothingElseRuns) {
  const Played played =
      play(with_faults("on-demand", "[{on: {event: trainer.start}, kind: stop, for: 10m}]"));
  std::string states;
  for (const Event& event : told(played, "instance.state"))
    states += event.fields.at("to").get<std::string>() + " ";
  EXPECT_TRUE(states.ends_with("stopping stopped pending running ")) << states;
}

TEST(FaultRun, ARunDoesNotWaitForAStoppedInstanceThatTheJobTerminated) {
  const scenario::Scenario scenario =
      with_faults("on-demand",
                  "[{on: {event: trainer.start}, kind: stop, for: 24h},"
                  " {on: {event: instance.state, to: stopped}, kind: terminate}]");
  const Played played = play(scenario);
  EXPECT_EQ(told(played, "instance.state").back().fields.at("to"), "terminated");
  EXPECT_LT(played.report.result->makespan, scenario.limit);
  EXPECT_EQ(outcome(played), "failed");
}

std::size_t launches(const Played& played) {
  const auto states = told(played, "instance.state");
  return static_cast<std::size_t>(std::ranges::count_if(
      states, [](const Event& event) { return event.fields.at("from") == ""; }));
}

TEST(FaultRun, ARunThatItsCallerEndsSaysSo) {
  const scenario::Scenario scenario = with_faults("az-hop", "[]");
  const Played all = play(scenario);
  const std::size_t launched = launches(all);
  std::size_t booted = 0;
  const auto ended_at = [&](std::size_t boots) {
    booted = 0;
    return play(scenario, [&, boots](RunOptions& options) {
      options.listen = [&](events::Listeners& log, const auto&, const auto&) {
        log.on<events::InstanceBoot>([&](const events::InstanceBoot&) { ++booted; });
      };
      options.enough = [&, boots] { return booted == boots; };
    });
  };
  const Played whole = ended_at(launched + 1);
  EXPECT_EQ(outcome(whole), "completed");
  EXPECT_EQ(whole.report.launched, launched);
  EXPECT_FALSE(whole.report.cut_off);
  const Played part = ended_at(launched);
  EXPECT_EQ(outcome(part), "deadline");
  EXPECT_EQ(part.report.launched, launched);
  EXPECT_TRUE(part.report.cut_off);
}

// Each seed draws some kinds of a swarm.
TEST(FaultRun, ASwarmsKindsAreDrawnFromTheSeed) {
  std::ostringstream text;
  text << std::ifstream(kScenarios / "no-interruption.yaml").rdbuf();
  const scenario::Scenario scenario = scenario::parse_scenario(
      text.str() + "\nswarm: {every: 1h, share: 0.3}\n", kScenarios / "no-interruption.yaml");
  const auto kinds = [&](std::uint64_t seed) {
    std::set<std::string> found;
    const Played played = play(scenario, [seed](RunOptions& options) { options.seed = seed; });
    for (const Event& strike : told(played, "fault.strike"))
      found.insert(strike.fields.at("kind").get<std::string>());
    return found;
  };
  EXPECT_FALSE(kinds(1).empty());
  EXPECT_EQ(kinds(1), kinds(1));
  EXPECT_NE(kinds(1), kinds(2));
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
