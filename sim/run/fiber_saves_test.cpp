// The saves of a modelled trainer: their cost, when they become durable, and what an interruption
// loses.
#include <gtest/gtest.h>

#include "sim/run/fiber_run_for_test.h"

namespace sim::run {
namespace {

// 12.5 GiB, which a gp2 volume of 100 GiB takes 100 s to write and to read; three syncs are 1 ms
// each, and the manifest's 280 bytes are written too.
constexpr std::string_view kHundredSeconds = "checkpoint_bytes: 13421772800";
// The checkpoint, three syncs, and one of 3,000 I/Os a second for the manifest.
constexpr double kPersist = 100.003 + 1.0 / 3000, kStep = 4.5;

// hard-kill with checkpoints of 100 s. An instance is struck at `at`, which may be after the run's
// end.
scenario::Scenario hundred_seconds(const std::string& checkpoint, Duration at,
                                   const std::string& policy = "epoch") {
  scenario::Scenario scenario =
      changed("hard-kill", "policy: \"epoch,on-notice\", checkpoint_bytes: 35792",
              "policy: \"" + policy + "\", " + std::string(kHundredSeconds) +
                  ", checkpoint: " + checkpoint);
  interrupt_at(scenario, at);
  scenario.limit = 24h;
  return scenario;
}

const std::string kAsync = "{mode: async, snapshot: 2s}";
constexpr Duration kNever = 23h;

double between(const Event& a, const Event& b) { return seconds(b.time - a.time); }

std::int64_t step_of(const Event& event) { return event.fields["step"].get<std::int64_t>(); }

TEST(FiberSaves, ASynchronousSaveStopsTrainingUntilItIsDurable) {
  const Played played = play(hundred_seconds("{mode: sync}", kNever));
  const auto begun = told(played, "trainer.checkpoint-begin");
  const auto durable = told(played, "trainer.checkpoint-durable");
  ASSERT_EQ(begun.size(), 26u);
  ASSERT_EQ(durable.size(), 26u);
  for (std::size_t i = 0; i < begun.size(); ++i)
    EXPECT_NEAR(between(begun[i], durable[i]), kPersist, 1e-6) << i;
  EXPECT_TRUE(told(played, "trainer.checkpoint-snapshot").empty());
  EXPECT_NEAR(seconds(played.report.result->checkpoint_overhead), 26 * kPersist, 1e-4);
}

TEST(FiberSaves, AnAsynchronousSaveStopsTrainingWhileTheStateIsCopied) {
  const Played played = play(hundred_seconds(kAsync, kNever));
  const auto begun = told(played, "trainer.checkpoint-begin");
  const auto copied = told(played, "trainer.checkpoint-snapshot");
  const auto durable = told(played, "trainer.checkpoint-durable");
  ASSERT_EQ(begun.size(), 26u);
  ASSERT_EQ(copied.size(), 25u);  // the last one is not followed by training
  ASSERT_EQ(durable.size(), 26u);
  for (std::size_t i = 0; i < copied.size(); ++i) {
    EXPECT_NEAR(between(begun[i], copied[i]), 2, 1e-9) << i;
    // The trainer reports the save at the end of the step in which it becomes durable: the 23rd
    // step.
    EXPECT_NEAR(between(copied[i], durable[i]), 23 * kStep, 1e-6) << i;
    EXPECT_EQ(step_of(durable[i]), 64 * static_cast<std::int64_t>(i + 1));
  }
  EXPECT_NEAR(between(begun.back(), durable.back()), 2 + kPersist, 1e-6);
  EXPECT_NEAR(seconds(played.report.result->checkpoint_overhead), 25 * 2 + 2 + kPersist, 1e-4);
}

TEST(FiberSaves, ACopyIsMadeAtMemorySpeedUnlessStated) {
  const Played played = play(hundred_seconds("{mode: async}", kNever));
  EXPECT_NEAR(between(told(played, "trainer.checkpoint-begin")[0],
                      told(played, "trainer.checkpoint-snapshot")[0]),
              13421772800 / 16e9, 1e-6);
}

TEST(FiberSaves, ARequestedSaveWaitsForTheOneInProgress) {
  const Played played = play(hundred_seconds(kAsync, kNever, "steps:10"));
  const auto begun = told(played, "trainer.checkpoint-begin");
  const auto copied = told(played, "trainer.checkpoint-snapshot");
  ASSERT_GT(copied.size(), 100u);
  EXPECT_NEAR(between(begun[0], copied[0]), 2, 1e-9);
  for (std::size_t i = 1; i < copied.size(); ++i)
    ASSERT_NEAR(between(begun[i], copied[i]), kPersist - 10 * kStep + 2, 1e-6) << i;
}

// Strikes the first instance `after` this begin of a checkpoint. Returns the step from which the
// next instance starts.
std::int64_t resumed_from(const std::string& checkpoint, std::size_t nth, Duration after,
                          std::int64_t& lost) {
  const scenario::Scenario whole = hundred_seconds(checkpoint, kNever);
  const Event begun = told(play(whole), "trainer.checkpoint-begin").at(nth - 1);
  const Played struck = play(hundred_seconds(checkpoint, begun.time - whole.start + after));
  lost = struck.report.result->lost_steps;
  return step_of(told(struck, "trainer.start").at(1));
}

TEST(FiberSaves, AnInterruptionBeforeItIsDurableFallsBackToThePreviousOne) {
  std::int64_t lost = 0;
  EXPECT_EQ(resumed_from(kAsync, 3, 2s + 50s, lost), 2 * 64);
  EXPECT_EQ(lost, 64 + 11);  // 11 whole steps in 50 s
  EXPECT_EQ(resumed_from("{mode: sync}", 3, 2s + 50s, lost), 2 * 64);
  EXPECT_EQ(lost, 64);
}

TEST(FiberSaves, ADurableCheckpointCountsBeforeItIsReported) {
  std::int64_t lost = 0;
  // Struck after 22 steps; the end of the 23rd would have reported the checkpoint as durable.
  EXPECT_EQ(resumed_from(kAsync, 3, 2s + 100s + 500ms, lost), 3 * 64);
  EXPECT_EQ(lost, 22);
}

TEST(FiberSaves, AStopWaitsForTheRequestedCheckpoint) {
  // A notice of two minutes leaves 100 s. The current step and the poll for notices take up to 10 s
  // of them.
  scenario::Scenario scenario = hundred_seconds("{mode: async, snapshot: 0s}", 78min, "on-notice");
  scenario.trainer->checkpoint_bytes = std::int64_t{80} << 27;  // 80 s
  scenario.interruptions.at(0).arguments.set("notice", Duration(2min));
  const Played played = play(scenario);
  const auto durable = told(played, "trainer.checkpoint-durable");
  const auto stopped = told(played, "trainer.stop");
  ASSERT_EQ(stopped.size(), 1u);
  EXPECT_EQ(durable.at(0).time, stopped.at(0).time);
  EXPECT_EQ(step_of(durable.at(0)), step_of(stopped.at(0)));
  EXPECT_EQ(played.report.result->lost_steps, 0);
}

TEST(FiberSaves, ARestartReadsDataAndCheckpointAtTheVolumesSpeed) {
  const Played played = play(hundred_seconds(kAsync, 78min));
  const auto phases = told(played, "orchestrator.phase");
  const auto started = told(played, "trainer.start");
  ASSERT_EQ(started.size(), 2u);
  const auto restore_of = [&](const Event& start) {
    Time begun{};
    for (const Event& phase : phases) {
      if (phase.fields["name"] == "train" && phase.time <= start.time) begun = phase.time;
    }
    return seconds(start.time - begun);
  };
  constexpr double kData = 7866880.0 / (128 << 20);
  EXPECT_NEAR(restore_of(started[0]), kData, 0.01);
  EXPECT_NEAR(restore_of(started[1]), kData + 100, 0.01);
}

const std::string kStore =
    "{mode: async, snapshot: 2s, to: object-store, bandwidth: 268435456, latency: 500ms}";

TEST(FiberSaves, AnObjectStoreTakesLatencyAndBandwidthAndItsRequestsArePaid) {
  const Played played = play(hundred_seconds(kStore, 78min));
  const auto copied = told(played, "trainer.checkpoint-snapshot");
  const auto durable = told(played, "trainer.checkpoint-durable");
  // 50 s for the bytes, and two requests. The trainer reports it at the end of the 12th step.
  EXPECT_NEAR(between(copied.at(0), durable.at(0)), 12 * kStep, 1e-6);
  std::int64_t puts = 0, gets = 0;
  for (const Event& charge : told(played, "charge")) {
    const bool put = charge.fields["usage"] == "Requests-Tier1";
    if (!put && charge.fields["usage"] != "Requests-Tier2") continue;
    EXPECT_EQ(charge.fields["kind"], "requests");
    EXPECT_EQ(charge.fields["cost"], put ? "0.00001" : "0.0000008");
    ++(put ? puts : gets);
  }
  EXPECT_EQ(puts, std::ssize(told(played, "trainer.checkpoint-begin")));
  EXPECT_EQ(gets, 1);
  EXPECT_EQ(played.report.result->money.requests.nano, puts * 10'000 + 800);
  EXPECT_EQ(played.report.result->outcome, "completed");
}

TEST(FiberSaves, AnObjectStoresCheckpointIsReadAtItsSpeedInAnyZone) {
  // The volume has no checkpoints. It moves to the other zone through a snapshot.
  scenario::Scenario scenario = hundred_seconds(kStore, 78min);
  scenario.interruptions.at(0).arguments.set("capacity_after", std::int64_t{0});
  const Played played = play(scenario);
  const auto started = told(played, "trainer.start");
  ASSERT_EQ(started.size(), 2u);
  EXPECT_NE(played.report.result->attempts.at(1).availability_zone, "us-west-2b");
  Time begun{};
  for (const Event& phase : told(played, "orchestrator.phase")) {
    if (phase.fields["name"] == "train") begun = phase.time;
  }
  // 7 MiB of data at 20 MiB/s, first reads since the snapshot; then two requests and 50 s.
  EXPECT_NEAR(seconds(started[1].time - begun), 0.35 + 2 * 0.5 + 50, 0.06);
  EXPECT_EQ(step_of(started[1]) % 64, 0);
  for (const Event& snapshot : told(played, "snapshot.state"))
    EXPECT_LT(snapshot.fields["stored_bytes"].get<std::int64_t>(), 1 << 30);
}

}  // namespace
}  // namespace sim::run
