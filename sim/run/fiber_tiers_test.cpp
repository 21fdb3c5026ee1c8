// The places of modelled checkpoints: what each place costs, and which failures it survives.
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/files/folder_for_test.h"
#include "sim/run/fiber_run_for_test.h"

namespace sim::run {
namespace {

constexpr double kTierStep = 4.5;
constexpr Duration kNeverTier = 23h;

// A job folder whose job file restarts a trainer that crashed.
class RestartingJob {
 public:
  RestartingJob() {
    fs::copy(kScenarios / "cifar10-job", path, fs::copy_options::recursive);
    std::ostringstream text;
    text << std::ifstream(path / "job.json").rdbuf();
    std::string job = text.str();
    const std::string command = "\"command\": \"./train.sh\"";
    job.replace(job.find(command), command.size(), command + ", \"max_restarts\": 1000");
    std::ofstream(path / "job.json") << job;
  }

  base::FolderForTest path;
};

// hard-kill with checkpoints that a volume writes in 10 s (1.25 GiB at 128 MiB/s). An instance is
// struck at `at`, which may be after the run's end.
scenario::Scenario ten_seconds(const std::string& trainer, Duration at) {
  scenario::Scenario scenario =
      changed("hard-kill", "policy: \"epoch,on-notice\", checkpoint_bytes: 35792",
              "checkpoint_bytes: 1342177280, " + trainer);
  interrupt_at(scenario, at);
  scenario.limit = 24h;
  return scenario;
}

std::string text_of(const Event& event, const char* key) { return event.fields.value(key, ""); }
std::int64_t tier_step_of(const Event& event) { return event.fields["step"].get<std::int64_t>(); }

std::vector<Event> durable_in(const Played& played, const std::string& tier) {
  auto events = told(played, "trainer.checkpoint-durable");
  std::erase_if(events, [&](const Event& event) { return text_of(event, "tier") != tier; });
  return events;
}

const std::string kMemoryAndVolume =
    "policy: none, checkpoint: {snapshot: 1s, "
    "tiers: [{to: memory, policy: 'steps:10'}, {to: volume, policy: 'steps:100'}]}";

// Every second of an instance is in one column, the kinds of charges add up, and states follow
// their graphs.
void expect_invariants(const Played& played) {
  for (const result::Verdict& verdict : played.report.result->invariants)
    EXPECT_TRUE(verdict.holds) << verdict.what << ": " << verdict.found;
}

TEST(FiberTiers, EachHasItsOwnPolicyAndItsOwnStall) {
  const Played played = play(ten_seconds(kMemoryAndVolume, kNeverTier));
  const auto begun = told(played, "trainer.checkpoint-begin");
  ASSERT_EQ(begun.size(), 1664u / 10 + 1);  // and one at the end
  EXPECT_EQ(begun[8].fields["tiers"], Json({"memory"}));
  EXPECT_EQ(begun[9].fields["tiers"], Json({"memory", "volume"}));
  EXPECT_EQ(begun.back().fields["tiers"], Json({"volume"}));
  const auto durable = durable_in(played, "volume");
  ASSERT_EQ(durable.size(), 17u);
  EXPECT_TRUE(durable_in(played, "memory").empty());
  const double write = 10.003 + 1.0 / 3000;  // the manifest is one I/O
  EXPECT_NEAR(seconds(durable[0].time - begun[9].time), 1 + write, 1e-6);
  EXPECT_NEAR(seconds(played.report.result->checkpoint_overhead), 166 * 1 + 17 * write, 1e-3);
  expect_invariants(played);
}

TEST(FiberTiers, AsynchronousSavesShareOneCopyOfTheState) {
  std::string trainer = kMemoryAndVolume;
  trainer.insert(trainer.find("snapshot"), "mode: async, ");
  const Played played = play(ten_seconds(trainer, kNeverTier));
  // The last save waits for the volume, which has already written all earlier ones.
  EXPECT_NEAR(seconds(played.report.result->checkpoint_overhead), 166 * 1 + 1 + 10.003, 1e-3);
  expect_invariants(played);
}

TEST(FiberTiers, MemorySurvivesACrashOfTheProcess) {
  const RestartingJob job;
  scenario::Scenario scenario = ten_seconds(kMemoryAndVolume + ", crash_every: 20m", kNeverTier);
  scenario.operator_folder = job.path;
  const Played played = play(scenario);
  const auto crashed = told(played, "trainer.crash"), started = told(played, "trainer.start");
  ASSERT_GE(crashed.size(), 3u);
  ASSERT_EQ(started.size(), crashed.size() + 1);
  for (std::size_t i = 0; i < crashed.size(); ++i) {
    EXPECT_EQ(tier_step_of(started[i + 1]), tier_step_of(crashed[i]) / 10 * 10);
    if (tier_step_of(crashed[i]) >= 10) {
      EXPECT_EQ(text_of(started[i + 1], "tier"), "memory");
    }
  }
  EXPECT_EQ(played.report.result->attempts.size(), 1u);
  EXPECT_LT(played.report.result->lost_steps, 10 * std::ssize(crashed));
  expect_invariants(played);
}

TEST(FiberTiers, WithoutMemoryACrashGoesBackToTheVolume) {
  const RestartingJob job;
  scenario::Scenario scenario = ten_seconds("policy: 'steps:100', crash_every: 20m", kNeverTier);
  scenario.operator_folder = job.path;
  const Played played = play(scenario);
  const auto crashed = told(played, "trainer.crash"), started = told(played, "trainer.start");
  ASSERT_GE(crashed.size(), 3u);
  for (std::size_t i = 0; i < crashed.size(); ++i)
    EXPECT_EQ(tier_step_of(started[i + 1]), tier_step_of(crashed[i]) / 100 * 100);
  expect_invariants(played);
}

TEST(FiberTiers, MemoryNeverSurvivesItsInstance) {
  for (const Duration at : {70min, 78min, 95min}) {
    const Played played = play(ten_seconds(kMemoryAndVolume, at));
    const auto started = told(played, "trainer.start");
    ASSERT_EQ(started.size(), 2u);
    EXPECT_EQ(tier_step_of(started[1]) % 100, 0);
    EXPECT_NE(text_of(started[1], "tier"), "memory");
    EXPECT_GE(played.report.result->lost_steps, 1);
    EXPECT_EQ(played.report.result->outcome, "completed");
    expect_invariants(played);
  }
}

TEST(FiberTiers, LivesAndCrashesInAnyMixtureAddUp) {
  const RestartingJob job;
  for (const char* mode : {"sync", "async"}) {
    for (const char* tiers :
         {"[{to: memory, policy: 'time:1m'}, {to: volume, policy: 'time:10m,on-notice'}]",
          "[{to: memory, policy: 'checkfreq:0.1'}, {to: snapshot, policy: 'time:20m,on-notice'}]",
          "[{to: object-store, policy: 'daly:1h', bandwidth: 100000000, latency: 1s}, "
          "{to: volume, policy: 'on-notice,grace'}, {to: memory}]"}) {
      scenario::Scenario scenario =
          ten_seconds(std::string("policy: 'steps:7', crash_every: 30m, checkpoint: {mode: ") +
                          mode + ", incremental_bytes: 400000000, tiers: " + tiers + "}",
                      kNeverTier);
      scenario.operator_folder = job.path;
      interrupt(scenario, "[{lifetime: 1h}]");
      scenario.seed = 5;
      const Played played = play(scenario);
      EXPECT_EQ(played.report.result->outcome, "completed") << mode << tiers;
      EXPECT_GE(played.report.result->attempts.size(), 2u);
      expect_invariants(played);
    }
  }
}

// ---- snapshots

const std::string kSnapshots =
    "checkpoint: {tiers: [{to: volume, policy: 'steps:100'}, {to: snapshot, policy: 'steps:400'}]}";

TEST(FiberTiers, ACompleteSnapshotIsSafeAndTheNewestIsKeptAndPaid) {
  const Played played = play(ten_seconds(kSnapshots, kNeverTier));
  auto states = told(played, "snapshot.state");
  const auto in = [&](const std::string& to) {
    auto events = states;
    std::erase_if(events, [&](const Event& event) { return text_of(event, "to") != to; });
    return events;
  };
  const auto pending = in("pending"), completed = in("completed"), deleted = in("deleted");
  ASSERT_EQ(pending.size(), 4u);  // of steps 400, 800, 1200 and 1600
  ASSERT_EQ(completed.size(), 4u);
  ASSERT_EQ(deleted.size(), 3u);
  const auto safe = durable_in(played, "snapshot"), on_volume = durable_in(played, "volume");
  ASSERT_EQ(safe.size(), 4u);
  for (std::size_t i = 0; i < safe.size(); ++i) {
    EXPECT_EQ(tier_step_of(safe[i]), 400 * static_cast<std::int64_t>(i + 1));
    // The snapshot starts after the volume has the checkpoint. The trainer reports it at the end of
    // the step in which it completes.
    EXPECT_GE(pending[i].time, on_volume[4 * i + 3].time);
    EXPECT_GE(safe[i].time, completed[i].time);
    EXPECT_LE(safe[i].time, completed[i].time + 5s);
    if (i > 0) {
      EXPECT_EQ(deleted[i - 1].fields["snapshot_id"], completed[i - 1].fields["snapshot_id"]);
    }
  }
  // 30 to 60 s and the stored bytes at 50 MiB/s.
  const double base = seconds(completed[0].time - pending[0].time) -
                      pending[0].fields["stored_bytes"].get<double>() / (50 << 20);
  EXPECT_GE(base, 30);
  EXPECT_LE(base, 60);
  EXPECT_EQ(played.report.result->at_end.snapshots, 1);
  EXPECT_GT(played.report.result->money.snapshots.nano, 0);
  expect_invariants(played);
}

TEST(FiberTiers, TrainingStopsForTheWriteAndTheRequestOnly) {
  const Played played =
      play(ten_seconds("checkpoint: {to: snapshot}, policy: 'steps:400'", kNeverTier));
  const auto begun = told(played, "trainer.checkpoint-begin"),
             on = told(played, "trainer.checkpoint-snapshot"),
             safe = told(played, "trainer.checkpoint-durable");
  ASSERT_GE(on.size(), 4u);
  EXPECT_NEAR(seconds(on[0].time - begun[0].time), 10.003 + 1.0 / 3000 + 0.15, 1e-4);
  EXPECT_GT(seconds(safe[0].time - on[0].time), 30 + 25);
  // One snapshot at a time. The last one is requested while none is pending.
  EXPECT_EQ(begun.size(), 5u);
  EXPECT_EQ(played.report.result->outcome, "completed");
  expect_invariants(played);
}

// EC2 allows five pending snapshots of a volume. A policy that saves at every step has one pending
// at a time, and at the end the last one.
TEST(FiberTiers, OneSnapshotIsMadeAtATimeHoweverManyAreRequested) {
  const RestartingJob job;
  for (const char* mode : {"sync", "async"}) {
    scenario::Scenario scenario =
        ten_seconds(std::string("policy: 'steps:1', crash_every: 25m, checkpoint: "
                                "{to: snapshot, mode: ") +
                        mode + "}",
                    kNeverTier);
    scenario.operator_folder = job.path;
    const Played played = play(scenario);
    EXPECT_EQ(played.report.result->outcome, "completed");
    const Time end = told(played, "trainer.finished").at(0).time;
    int pending = 0, made = 0;
    for (const Event& event : told(played, "snapshot.state")) {
      if (event.time >= end - 20s) break;
      if (text_of(event, "to") == "pending") ++pending, ++made;
      if (text_of(event, "to") == "completed") --pending;
      EXPECT_LE(pending, 1) << mode;
    }
    EXPECT_GT(made, 50);
    EXPECT_FALSE(told(played, "trainer.checkpoint-durable").empty());
    EXPECT_LE(played.report.result->at_end.snapshots, 3);
    expect_invariants(played);
  }
}

// The volume fails with the instance, at this instant.
scenario::Scenario with_lost_volume(const std::string& trainer, Duration at) {
  scenario::Scenario scenario = ten_seconds(trainer, at);
  scenario.interruptions.at(0).arguments.set("volumes", std::string("lost"));
  return scenario;
}

TEST(FiberTiers, ASnapshotSurvivesTheVolumeAndTheVolumesOwnCheckpointsDoNot) {
  const Played played = play(with_lost_volume(kSnapshots, 95min));
  const auto safe = durable_in(played, "snapshot"), on_volume = durable_in(played, "volume");
  const auto started = told(played, "trainer.start");
  ASSERT_EQ(started.size(), 2u);
  const auto newest_before = [&](const std::vector<Event>& events) {
    std::int64_t step = 0;
    for (const Event& event : events)
      if (event.time < started[1].time) step = tier_step_of(event);
    return step;
  };
  EXPECT_EQ(newest_before(safe), 800);
  EXPECT_GT(newest_before(on_volume), 900);
  EXPECT_EQ(tier_step_of(started[1]), 800);
  EXPECT_EQ(played.report.result->outcome, "completed");
  EXPECT_GT(played.report.result->lost_steps, 100);
  EXPECT_EQ(played.report.result->at_end.tagged_volumes, 1);
  EXPECT_EQ(played.report.result->at_end.snapshots, 1);
  // The job is not blamed for checkpoints that existed only on the lost volume.
  expect_invariants(played);
}

TEST(FiberTiers, ASnapshotThatIsPendingWhenTheVolumeFailsIsCompletedWithoutIt) {
  // Struck shortly before the snapshot of step 800 is complete.
  const Played whole = play(ten_seconds(kSnapshots, kNeverTier));
  auto completed = told(whole, "snapshot.state");
  std::erase_if(completed, [](const Event& e) { return text_of(e, "to") != "completed"; });
  const Duration at = completed.at(1).time - shipped("hard-kill").start - 20s;
  const Played played = play(with_lost_volume(kSnapshots, at));
  const auto started = told(played, "trainer.start");
  ASSERT_EQ(started.size(), 2u);
  EXPECT_EQ(tier_step_of(started[1]), 800);
  EXPECT_EQ(durable_in(played, "snapshot").back().fields["step"], 1600);
}

TEST(FiberTiers, WithoutASnapshotALostVolumeFailsTheJob) {
  const Played played = play(with_lost_volume("policy: epoch", 2h));
  EXPECT_EQ(played.report.result->outcome, "failed");
  EXPECT_TRUE(told(played, "trainer.finished").empty());
}

TEST(FiberTiers, AVolumeIsLostWithoutANoticeOnly) {
  try {
    changed("az-hop", "{at: 1h18m,", "{volumes: lost, at: 1h18m,");
    FAIL();
  } catch (const scenario::ScenarioError& error) {
    EXPECT_TRUE(contains(error.what(), "interruptions[0].volumes")) << error.what();
    EXPECT_TRUE(contains(error.what(), "notice: none")) << error.what();
  }
}

// ---- incremental checkpoints

const std::string kIncremental =
    "checkpoint: {incremental_bytes: 134217728}, policy: 'steps:300,grace'";

TEST(FiberTiers, AnIncrementalSaveNeedsItsBaseAndARestoreReadsBoth) {
  // After the notice 110 s are left; a full checkpoint takes 180 s.
  scenario::Scenario scenario = ten_seconds(kIncremental, 70min);
  scenario.trainer->checkpoint_bytes = std::int64_t{180} << 27;
  scenario.trainer->incremental_bytes = std::int64_t{40} << 27;  // 40 s
  scenario.interruptions.at(0).arguments.set("notice", Duration(2min));
  const Played played = play(scenario);
  const auto durable = told(played, "trainer.checkpoint-durable");
  const auto of_notice = std::ranges::find_if(
      durable, [](const Event& event) { return event.fields.contains("base"); });
  ASSERT_NE(of_notice, durable.end());
  EXPECT_EQ(of_notice->fields["bytes"], std::int64_t{40} << 27);
  EXPECT_EQ(of_notice->fields["base"].get<std::int64_t>() % 300, 0);
  EXPECT_EQ(played.report.result->lost_steps, 0);
  const auto started = told(played, "trainer.start");
  ASSERT_EQ(started.size(), 2u);
  EXPECT_EQ(tier_step_of(started[1]), tier_step_of(*of_notice));
  Time begun{};
  for (const Event& phase : told(played, "orchestrator.phase"))
    if (phase.fields["name"] == "train") begun = phase.time;
  EXPECT_NEAR(seconds(started[1].time - begun), 180 + 40 + 7866880.0 / (128 << 20), 0.05);
  expect_invariants(played);
}

TEST(FiberTiers, WithoutIncrementalBytesOrWithoutABaseTheyAreFull) {
  scenario::Scenario scenario = ten_seconds("policy: 'steps:300,grace'", 78min);
  scenario.trainer->checkpoint_bytes = std::int64_t{190} << 27;
  scenario.interruptions.at(0).arguments.set("notice", Duration(2min));
  EXPECT_GT(play(scenario).report.result->lost_steps, 0);
  // Without a checkpoint before the notice the speed is unknown, so the policy tries a full one.
  scenario = ten_seconds("policy: grace, checkpoint: {incremental_bytes: 1000}", 78min);
  scenario.interruptions.at(0).arguments.set("notice", Duration(2min));
  for (const Event& event : told(play(scenario), "trainer.checkpoint-durable"))
    EXPECT_FALSE(event.fields.contains("base"));
}

TEST(FiberTiers, ErrorsNameTheKeyAndWhatIsExpected) {
  const auto refusal = [](const std::string& trainer) -> std::string {
    try {
      ten_seconds(trainer, kNeverTier);
    } catch (const scenario::ScenarioError& error) {
      return error.what();
    }
    return "";
  };
  for (const auto& [trainer, key, expected] :
       {std::tuple{"checkpoint: {to: memory}", "trainer.checkpoint.to", "outlives the instance"},
        {"checkpoint: {tiers: [{to: memory}]}", "trainer.checkpoint.tiers", "outlives"},
        {"checkpoint: {tiers: []}", "trainer.checkpoint.tiers", "found none, expected"},
        {"checkpoint: {tiers: 5}", "trainer.checkpoint.tiers", "expected a list of places"},
        {"checkpoint: {to: floppy}", "trainer.checkpoint.to", "object-store"},
        {"checkpoint: {tiers: [{to: volume}, {to: volume}]}", "trainer.checkpoint.tiers[1]",
         "once"},
        {"checkpoint: {tiers: [{policy: none}]}", "trainer.checkpoint.tiers[0].to", "memory"},
        {"checkpoint: {tiers: [{to: volume, policy: sometimes}]}",
         "trainer.checkpoint.tiers[0].policy", "known"},
        {"checkpoint: {to: volume, tiers: [{to: volume}]}", "trainer.checkpoint.tiers", "one of"},
        {"checkpoint: {to: object-store}", "trainer.checkpoint.bandwidth", "bytes a second"},
        {"checkpoint: {incremental_bytes: 9000000000}", "incremental_bytes", "1342177280"},
        {"checkpoint: {mode: later}", "trainer.checkpoint.mode", "async"},
        {"crash_every: 1ms", "trainer.crash_every", "at least 1s"},
        {"policy: {command: []}", "trainer.policy.command", "a program"},
        {"policy: {command: /no/such/program}", "trainer.policy", "cannot start"},
        {"policy: {program: cat}", "trainer.policy", "command"}}) {
    const std::string message = refusal(trainer);
    EXPECT_TRUE(contains(message, key) && contains(message, expected))
        << trainer << ": " << message;
  }
  EXPECT_FALSE(contains(refusal("checkpoint: {tiers: 5}"), "outlives"));
}

// ---- programs as policies

TEST(FiberTiers, AProgramIsGivenAsAMappingWithArguments) {
  const RestartingJob folder;
  const fs::path program = folder.path / "every.sh";
  std::ofstream(program) << R"(#!/bin/sh
step=0
while read -r line; do
  step=$((step + 1))
  if [ $((step % $1)) = 0 ]; then echo '{"save": "full"}'; else echo '{"save": "no"}'; fi
done)";
  fs::permissions(program, fs::perms::owner_all);
  for (const std::string& policy :
       {"policy: {command: ['" + program.string() + "', 500]}",
        "policy: \"command:'" + program.string() + "' 500\"",
        "policy: {command: [" + fs::relative(program, kScenarios).string() + ", '500']}"}) {
    const auto saved = told(play(ten_seconds(policy, kNeverTier)), "trainer.checkpoint-begin");
    ASSERT_EQ(saved.size(), 4u) << policy;
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(tier_step_of(saved[i]), 500 * static_cast<std::int64_t>(i + 1));
    EXPECT_EQ(text_of(saved.back(), "reason"), "finished");
  }
}

TEST(FiberTiers, AProgramThatEndsIsNamedWithFileAndKey) {
  const std::string end = R"({command: [sh, -c, 'read -r line; echo ''{"save": "no"}''']})";
  const std::string one = refused(ten_seconds("policy: " + end, kNeverTier));
  EXPECT_TRUE(contains(one, "hard-kill.yaml: trainer.policy: at 2019-11-05T10:")) << one;
  EXPECT_TRUE(contains(one, "Z: policy program sh has ended with exit status 0")) << one;
  const std::string tier = refused(ten_seconds(
      "policy: none, checkpoint: {tiers: [{to: volume, policy: " + end + "}]}", kNeverTier));
  EXPECT_TRUE(contains(tier, "hard-kill.yaml: trainer.checkpoint.tiers: at 2019-11-05T10:"))
      << tier;
}

}  // namespace
}  // namespace sim::run
