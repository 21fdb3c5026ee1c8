// acknowledged-checkpoint-kept, progress-kept and one-source-of-truth.
#include "sim/result/invariants/judged_for_test.h"

namespace sim::result {
namespace {

constexpr const char* kKept = "acknowledged-checkpoint-kept";
constexpr const char* kProgress = "progress-kept";
constexpr const char* kSameState = "same-step-same-state";
constexpr const char* kOneSource = "one-source-of-truth";

// ---- acknowledged-checkpoint-kept

// A hop: snapshot, new volume, and then the old volume is deleted.
TEST(CheckpointKept, HoldsThroughAHop) {
  LogBuilder log = in_training();
  snapshot(log, 30s, "snap-1", "vol-1", "", "pending");
  snapshot(log, 40s, "snap-1", "vol-1", "pending", "completed");
  volume_of(log, 41s, "vol-2", "snap-1").volume(42s, "vol-2", "creating", "available");
  log.volume(43s, "vol-1", "available", "deleting").volume(44s, "vol-1", "deleting", "deleted");
  EXPECT_TRUE(holds(log, kKept));
  snapshot(log, 45s, "snap-1", "vol-1", "completed", "deleted");
  EXPECT_TRUE(holds(log, kKept)) << "it is on vol-2";
  log.volume(50s, "vol-2", "available", "deleting");
  EXPECT_FALSE(holds(log, kKept));
}

// i-1 saves on its root disk every minute, and copies to a bucket now and then.
LogBuilder copies_to_a_bucket() {
  LogBuilder log;
  log.add({}, "run.start",
          {{"scenario", "by-hand"}, {"copies", "s3://b/"}, {"progress", "console"}});
  log.launch(3s, "i-1", "us-west-2b").running(4s, "i-1").boot(5s, "i-1");
  log.trainer(10s, "i-1", "start", 0);
  saves(log, 20s, "i-1", 10, "root");
  log.add(21s, "object.stored", {{"bucket", "b"}, {"key", "m"}});
  log.add(21s, "checkpoint.copied",
          {{"instance_id", "i-1"}, {"step", 10}, {"path", "/data/m"}, {"uri", "s3://b/m"}});
  saves(log, 100s, "i-1", 20, "root");
  log.shutting_down(200s, "i-1").terminated(210s, "i-1");
  return log;
}

TEST(CheckpointKept, OfAJobThatCopiesIsAboutTheCopies) {
  LogBuilder log = copies_to_a_bucket(), ignores = log, removes = log;
  EXPECT_TRUE(holds(log.trainer(300s, "i-2", "start", 10), kKept));
  EXPECT_TRUE(holds(log, kProgress));
  EXPECT_FALSE(holds(ignores.trainer(300s, "i-2", "start", 0), kProgress)) << "the copy is there";
  removes.add(250s, "object.removed", {{"bucket", "b"}, {"key", "m"}});
  EXPECT_EQ(judged(removes, kKept).found,
            "step 10 was durable and was lost with s3://b/m at 10:04:10; nothing remains");
}

TEST(CheckpointKept, BreaksWhereTheVolumeIsDeletedWithoutASnapshot) {
  LogBuilder log = in_training();
  log.volume(30s, "vol-1", "available", "deleting").volume(31s, "vol-1", "deleting", "deleted");
  const Verdict v = judged(log, kKept);
  EXPECT_EQ(v.what, "no acknowledged checkpoint is ever lost");
  EXPECT_EQ(v.found, "step 100 was durable and was lost with vol-1 at 10:00:30; nothing remains");
  EXPECT_EQ(v.at, kLogStart + 30s);
  EXPECT_EQ(shown(log, kKept), (Kinds{"trainer.checkpoint-durable", "volume.state"}));
}

// The waiter of tutorials gives up after ten minutes: the script deletes the volume while the
// snapshot is pending.
TEST(CheckpointKept, BreaksWhereTheSnapshotFailsThatWasReliedOn) {
  LogBuilder log = in_training();
  snapshot(log, 30s, "snap-1", "vol-1", "", "pending");
  log.volume(40s, "vol-1", "available", "deleting");
  EXPECT_TRUE(holds(log, kKept)) << "a pending snapshot has it";
  snapshot(log, 50s, "snap-1", "vol-1", "pending", "error");
  EXPECT_EQ(judged(log, kKept).found,
            "step 100 was durable and was lost with snap-1 at 10:00:50; nothing remains");
  EXPECT_EQ(shown(log, kKept), (Kinds{"trainer.checkpoint-durable", "snapshot.state",
                                      "volume.state", "snapshot.state"}));
}

TEST(CheckpointKept, BreaksWhereTheSnapshotIsOlderThanTheCheckpoint) {
  LogBuilder log = in_training();
  snapshot(log, 21s, "snap-1", "vol-1", "", "pending");
  saves(log, 30s, "i-1", 200, "vol-1");
  log.volume(40s, "vol-1", "available", "deleting");
  EXPECT_EQ(judged(log, kKept).found,
            "step 200 was durable and was lost with vol-1 at 10:00:40; step 100 remains");
}

TEST(CheckpointKept, BreaksWhereItIsOnARootDiskThatEnds) {
  LogBuilder log = in_training();
  saves(log, 30s, "i-1", 200, "root");
  log.shutting_down(40s, "i-1");
  EXPECT_TRUE(holds(log, kKept));
  log.terminated(41s, "i-1");
  EXPECT_EQ(judged(log, kKept).found,
            "step 200 was durable and was lost with i-1 at 10:00:41; step 100 remains");
}

TEST(CheckpointKept, BreaksWhereTheNewVolumeNeverCameToBe) {
  LogBuilder log = in_training();
  snapshot(log, 30s, "snap-1", "vol-1", "", "pending");
  snapshot(log, 31s, "snap-1", "vol-1", "pending", "completed");
  volume_of(log, 32s, "vol-2", "snap-1");
  snapshot(log, 33s, "snap-1", "vol-1", "completed", "deleted");
  log.volume(34s, "vol-1", "available", "deleting");
  EXPECT_TRUE(holds(log, kKept));
  log.volume(35s, "vol-2", "creating", "error");
  EXPECT_FALSE(holds(log, kKept));
}

TEST(CheckpointKept, IgnoresCheckpointsOnlyWrittenOrOfUnknownPlace) {
  LogBuilder log = in_training();
  log.add(30s, "trainer.checkpoint-written",
          {{"instance_id", "i-1"}, {"step", 200}, {"path", "/m"}, {"disk", "root"}});
  log.trainer(31s, "i-1", "checkpoint-durable", 250);
  log.terminated(41s, "i-1");
  EXPECT_TRUE(holds(log, kKept));
}

LogBuilder& writes(LogBuilder& log, Duration at, std::int64_t step, std::int64_t since) {
  return log.add(at, "trainer.checkpoint-written",
                 {{"instance_id", "i-1"},
                  {"step", step},
                  {"since", since},
                  {"path", "/data/m"},
                  {"disk", "vol-1"}});
}

// A trainer that does not sync: the kernel writes its data within a minute.
TEST(CheckpointKept, WhatIsWrittenIsOnItsDiskAMinuteLater) {
  LogBuilder log = in_training();
  writes(log, 30s, 250, 240);
  LogBuilder young = log, old = log;
  young.shutting_down(89s, "i-1").volume(100s, "vol-1", "available", "deleting");
  EXPECT_EQ(judged(young, kKept).found,
            "step 100 was durable and was lost with vol-1 at 10:01:40; nothing remains");
  old.shutting_down(90s, "i-1").volume(100s, "vol-1", "available", "deleting");
  EXPECT_EQ(judged(old, kKept).found,
            "step 240 was durable and was lost with vol-1 at 10:01:40; nothing remains");
  EXPECT_EQ(shown(old, kKept).front(), "trainer.checkpoint-written");
}

TEST(CheckpointKept, UsesTheRunsTimeOfWriteBack) {
  LogBuilder log = in_training();
  log.add(29s, "run.start", {{"scenario", "x"}, {"written_back_seconds", 610.0}});
  writes(log, 30s, 250, 240);
  LogBuilder young = log, old = log;
  young.shutting_down(639s, "i-1").volume(641s, "vol-1", "available", "deleting");
  EXPECT_EQ(judged(young, kKept).found,
            "step 100 was durable and was lost with vol-1 at 10:10:41; nothing remains");
  old.shutting_down(640s, "i-1").volume(641s, "vol-1", "available", "deleting");
  EXPECT_EQ(judged(old, kKept).found,
            "step 240 was durable and was lost with vol-1 at 10:10:41; nothing remains");
}

// Saves less than a minute apart: each one counts, and shows its own line.
TEST(CheckpointKept, OfSeveralThatAreWrittenEachIsOnItsDiskAMinuteLater) {
  LogBuilder log = in_training();
  writes(writes(log, 30s, 250, 240), 50s, 260, 250);
  log.trainer(91s, "i-1", "checkpoint-begin", 270).trainer(95s, "i-1", "checkpoint-begin", 270);
  log.shutting_down(115s, "i-1").volume(120s, "vol-1", "available", "deleting");
  EXPECT_EQ(judged(log, kKept).found,
            "step 250 was durable and was lost with vol-1 at 10:02:00; nothing remains");
  EXPECT_NE(judged(log, kKept).lines.front().find("\"step\":260"), std::string::npos);
}
// The job is not blamed for damage by a fault, not even to data on its way to the disk.
TEST(ProgressKept, DoesNotAskForWhatWasDamagedBeforeItWasOnItsDisk) {
  LogBuilder log = in_training();
  writes(log, 30s, 250, 240);
  log.add(31s, "fault.damage", {{"disk", "vol-1"}}).shutting_down(95s, "i-1");
  EXPECT_TRUE(holds(log.trainer(200s, "i-2", "start", 100), kProgress));
}
TEST(ProgressKept, AsksForWhatWasWrittenAMinuteAgo) {
  LogBuilder log = in_training();
  writes(log, 30s, 250, 240).shutting_down(90s, "i-1");
  LogBuilder good = log;
  EXPECT_TRUE(holds(good.trainer(200s, "i-2", "start", 240), kProgress));
  EXPECT_EQ(judged(log.trainer(200s, "i-2", "start", 239), kProgress).found,
            "training resumed after step 239 at 2019-11-05T10:03:20Z, but 240 was durable");
}

TEST(CheckpointKept, IsNotAskedOfAJobThatLeavesNothing) {
  LogBuilder log;
  log.add({}, "run.start", {{"scenario", "x"}, {"evidence", "none"}});
  EXPECT_FALSE(applies(log, kKept));
}

// ---- hardware failures

TEST(CheckpointKept, FailedHardwareIsNotABreach) {
  LogBuilder log = in_training();
  log.volume(30s, "vol-1", "in-use", "error");
  EXPECT_TRUE(holds(log, kKept));
  log.trainer(40s, "i-2", "start", 0);
  EXPECT_TRUE(holds(log, kProgress)) << "there is nothing that it could begin with";
}

TEST(CheckpointKept, WhatFailedHardwareLeftElsewhereMustBeKept) {
  LogBuilder log = in_training();
  snapshot(log, 21s, "snap-1", "vol-1", "", "pending");
  snapshot(log, 22s, "snap-1", "vol-1", "pending", "completed");
  saves(log, 25s, "i-1", 200, "vol-1");
  log.volume(30s, "vol-1", "in-use", "error");
  LogBuilder from_snapshot = log, from_nothing = log, deleted = log;
  EXPECT_TRUE(holds(from_snapshot.trainer(40s, "i-2", "start", 100), kProgress));
  EXPECT_EQ(judged(from_nothing.trainer(40s, "i-2", "start", 0), kProgress).found,
            "training resumed after step 0 at 2019-11-05T10:00:40Z, but 100 was durable");
  snapshot(deleted, 40s, "snap-1", "vol-1", "completed", "deleted");
  EXPECT_EQ(judged(deleted, kKept).found,
            "step 100 was durable and was lost with snap-1 at 10:00:40; nothing remains");
}

TEST(CheckpointKept, APendingSnapshotOfFailedHardwareIsNoCopyYet) {
  LogBuilder log = in_training();
  snapshot(log, 21s, "snap-1", "vol-1", "", "pending");
  log.volume(30s, "vol-1", "in-use", "error");
  snapshot(log, 40s, "snap-1", "vol-1", "pending", "error");
  EXPECT_TRUE(holds(log, kKept));
}

TEST(CheckpointKept, AFaultThatDamagesADiskIsAsItsHardware) {
  LogBuilder log = in_training();
  log.add(30s, "fault.damage", {{"disk", "vol-1"}});
  log.trainer(31s, "i-1", "start", 0);
  EXPECT_TRUE(holds(log, kProgress));
  saves(log, 32s, "i-1", 50, "vol-1");
  log.volume(40s, "vol-1", "available", "deleting");
  EXPECT_FALSE(holds(log, kKept)) << "what is saved afterwards counts";
}

TEST(CheckpointKept, WhatADamagedDiskHadIsLookedForInSnapshotsOfTheTrainersOnly) {
  const auto damaged = [](bool keeps_snapshots) {
    LogBuilder log = in_training();
    snapshot(log, 21s, "snap-1", "vol-1", "", "pending");
    snapshot(log, 22s, "snap-1", "vol-1", "pending", "completed");
    if (keeps_snapshots)
      log.add(23s, "trainer.checkpoint-durable",
              {{"instance_id", "i-1"}, {"step", 100}, {"tier", "snapshot"}, {"disk", "vol-1"}});
    log.add(30s, "fault.damage", {{"disk", "vol-1"}});
    return log.trainer(31s, "i-1", "start", 50);
  };
  EXPECT_TRUE(holds(damaged(false), kProgress)) << "a hop's";
  EXPECT_FALSE(holds(damaged(true), kProgress));
}

// A trainer keeps 200 checkpoints in snapshots of vol-1, which is then damaged. It continues after
// step 150, saves `again` in a snapshot and 170 on vol-1. Then vol-1 fails.
LogBuilder damaged_and_failed(std::int64_t again) {
  LogBuilder log = in_training();
  log.add(21s, "trainer.checkpoint-durable",
          {{"instance_id", "i-1"},
           {"step", 100},
           {"tier", "snapshot"},
           {"path", "/data/m"},
           {"disk", "vol-1"}});
  saves(log, 25s, "i-1", 200, "vol-1");
  log.add(30s, "fault.damage", {{"disk", "vol-1"}}).trainer(31s, "i-1", "start", 150);
  saves(log, 40s, "i-1", again, "vol-1");
  snapshot(log, 41s, "snap-2", "vol-1", "", "pending");
  snapshot(log, 42s, "snap-2", "vol-1", "pending", "completed");
  saves(log, 43s, "i-1", 170, "vol-1");
  return log.volume(50s, "vol-1", "in-use", "error");
}

TEST(ProgressKept, ASnapshotHasNotWhatItsVolumeHadLostBefore) {
  LogBuilder log = damaged_and_failed(160);
  LogBuilder good = log, bad = log;
  EXPECT_TRUE(holds(good.trainer(60s, "i-2", "start", 160), kProgress)) << "170 was on vol-1 alone";
  EXPECT_EQ(judged(bad.trainer(60s, "i-2", "start", 159), kProgress).found,
            "training resumed after step 159 at 2019-11-05T10:01:00Z, but 160 was durable");
}

TEST(CheckpointKept, WhatIsSavedOnADamagedDiskMustBeKept) {
  LogBuilder log = damaged_and_failed(160);
  EXPECT_TRUE(holds(log, kKept));
  snapshot(log, 60s, "snap-2", "vol-1", "completed", "deleted");
  EXPECT_EQ(judged(log, kKept).found,
            "step 160 was durable and was lost with snap-2 at 10:01:00; nothing remains");
}

// The trainer deleted the older checkpoint for a newer one, and crashed before it reported the
// newer one.
TEST(CheckpointKept, ASnapshotAfterDamageMayHaveUnreportedCheckpoints) {
  const auto replaced = [](const std::string& disk, const std::string& by) {
    LogBuilder log = in_training();
    snapshot(log, 21s, "snap-1", "vol-1", "", "pending");
    snapshot(log, 22s, "snap-1", "vol-1", "pending", "completed");
    log.add(23s, "trainer.checkpoint-durable",
            {{"instance_id", "i-1"}, {"step", 100}, {"tier", "snapshot"}, {"disk", "vol-1"}});
    log.add(30s, "fault.damage", {{"disk", "vol-1"}});
    snapshot(log, 31s, "snap-2", "vol-1", "", "pending");
    snapshot(log, 32s, "snap-2", "vol-1", "pending", "completed");
    volume_of(log, 33s, "vol-2", "snap-2");
    snapshot(log, 34s, "snap-2", "vol-1", "completed", "deleted");
    snapshot(log, 35s, "snap-3", disk, "", "pending");
    snapshot(log, 40s, "snap-3", disk, "pending", by);
    return snapshot(log, 41s, "snap-1", "vol-1", "completed", "deleted");
  };
  for (const char* disk : {"vol-1", "vol-2"}) {
    EXPECT_TRUE(holds(replaced(disk, "completed"), kKept)) << disk;
    EXPECT_FALSE(holds(replaced(disk, "error"), kKept)) << disk;
  }
  EXPECT_FALSE(holds(replaced("vol-3", "completed"), kKept)) << "not of what was damaged";
}

// ---- progress-kept

TEST(ProgressKept, ShowsWhatWasSavedAndTheBeginningBelow) {
  LogBuilder log = in_training();
  EXPECT_TRUE(holds(log.trainer(30s, "i-1", "start", 100), kProgress));
  log.trainer(40s, "i-1", "start", 99);
  EXPECT_EQ(shown(log, kProgress), (Kinds{"trainer.checkpoint-durable", "trainer.start"}));
  EXPECT_EQ(judged(log, kProgress).at, kLogStart + 40s);
}

// The disk of a training job's container ends with it, so the copy in the bucket counts.
TEST(ProgressKept, OfATrainingJobIsWhatSageMakerHasCopied) {
  const auto job = [](std::int64_t resumes) {
    LogBuilder log;
    log.start();
    log.add(1s, "instance.state",
            {{"instance_id", "i-1"}, {"to", "pending"}, {"managed_by", "sagemaker"}});
    log.trainer(2s, "i-1", "start", 0);
    for (const auto& [at, step] : {std::pair{20s, 100}, {40s, 200}})
      log.add(at, "trainer.checkpoint-durable", {{"instance_id", "i-1"}, {"step", step}});
    log.add(41s, "sagemaker.synced",
            {{"instance_id", "i-1"}, {"looked", iso_seconds(kLogStart + 30s)}});
    log.trainer(60s, "i-1", "start", resumes);
    return log;
  };
  EXPECT_FALSE(holds(job(99), kProgress));
  EXPECT_TRUE(holds(job(100), kProgress)) << "200 was not in the bucket";
}

// ---- same-step-same-state

LogBuilder& does(LogBuilder& log, Duration at, const std::string& event, std::int64_t step,
                 const std::string& state) {
  return log.add(at, "trainer." + event,
                 {{"instance_id", "i-1"}, {"step", step}, {"total_steps", 300}, {"state", state}});
}

TEST(SameState, AppliesToTrainersThatReportTheirState) {
  EXPECT_FALSE(applies(in_training(), kSameState));
}

TEST(SameState, HoldsWhereALostStepIsDoneAgain) {
  LogBuilder log = in_training();
  does(log, 30s, "step", 101, "a1");
  does(log, 40s, "start", 100, "a0");
  does(log, 50s, "step", 101, "a1");
  EXPECT_TRUE(holds(log, kSameState));
}

TEST(SameState, BreaksWhereAResumeHasLostSomething) {
  LogBuilder log = in_training();
  does(log, 30s, "step", 101, "a1");
  does(log, 40s, "start", 101, "b1");
  EXPECT_EQ(judged(log, kSameState).found,
            "the state after step 101 was a1, and is b1 at 2019-11-05T10:00:40Z");
  EXPECT_EQ(shown(log, kSameState), (Kinds{"trainer.step", "trainer.start"}));
}

// ---- one-source-of-truth

TEST(OneSource, HoldsWhereTheJobsVolumeIsTheOnlyOne) {
  EXPECT_TRUE(holds(in_training(), kOneSource));
  LogBuilder untrained;
  EXPECT_FALSE(applies(untrained.start(), kOneSource));
}

TEST(OneSource, BreaksWhereTrainingBeginsWithTwo) {
  LogBuilder log = in_training();
  log.trainer(30s, "i-1", "stop", 100);
  log.volume(31s, "vol-2", "", "creating").tag(31s, "vol-2", "job");
  EXPECT_TRUE(holds(log, kOneSource)) << "nobody trains";
  log.trainer(40s, "i-2", "start", 100);
  EXPECT_EQ(judged(log, kOneSource).found,
            "2: vol-1, vol-2 at 2019-11-05T10:00:40Z, while i-2 trains");
  EXPECT_EQ(shown(log, kOneSource), (Kinds{"tags.created", "tags.created", "trainer.start"}));
}

TEST(OneSource, BreaksWhereTheVolumeGoesOrLosesItsTagDuringTraining) {
  LogBuilder gone = in_training(), untagged = in_training(), ended = in_training();
  gone.volume(30s, "vol-1", "in-use", "deleting");
  EXPECT_EQ(judged(gone, kOneSource).found, "0 at 2019-11-05T10:00:30Z, while i-1 trains");
  untagged.add(30s, "tags.deleted", {{"resource_id", "vol-1"}, {"tags", {"Name"}}});
  EXPECT_FALSE(holds(untagged, kOneSource));
  ended.shutting_down(25s, "i-1").volume(30s, "vol-1", "in-use", "deleting");
  EXPECT_TRUE(holds(ended, kOneSource));
}

TEST(OneSource, FailedHardwareAndTheVolumesOfFaultsAreNotTheJobs) {
  LogBuilder broke = in_training(), made = in_training();
  broke.volume(30s, "vol-1", "in-use", "error").volume(31s, "vol-9", "", "creating");
  EXPECT_TRUE(holds(broke, kOneSource));
  EXPECT_TRUE(holds(broke, "one-volume")) << "none is left, by no deed of the job";
  EXPECT_FALSE(holds(broke.trainer(40s, "i-1", "start", 0), kOneSource)) << "on which volume?";
  made.add(30s, "fault.made", {{"resource_id", "vol-2"}});
  made.volume(30s, "vol-2", "", "creating").tag(30s, "vol-2", "job");
  EXPECT_TRUE(holds(made, kOneSource));
  EXPECT_TRUE(holds(made, "one-volume"));
}

// The lines in the order in which a fault writes them.
TEST(OneSource, AVolumeThatAFaultMakesDuringTrainingIsNotTheJobs) {
  LogBuilder log = in_training();
  log.volume(30s, "vol-2", "", "creating").tag(30s, "vol-2", "job");
  log.add(30s, "fault.made", {{"resource_id", "vol-2"}});
  log.volume(40s, "vol-2", "creating", "available");
  EXPECT_TRUE(holds(log, kOneSource));
}

TEST(OneSource, ATwinToWhichTheJobGivesItsTagIsTheJobs) {
  LogBuilder log = in_training();
  log.shutting_down(25s, "i-1");
  log.volume(30s, "vol-2", "", "creating").add(30s, "fault.made", {{"resource_id", "vol-2"}});
  log.tag(40s, "vol-2", "job").volume(41s, "vol-1", "available", "deleting");
  EXPECT_TRUE(holds(log.trainer(50s, "i-2", "start", 100), kOneSource));
}

TEST(OneSource, DeletingOneTwinMakesTheOtherTheJobs) {
  LogBuilder log = in_training();
  log.shutting_down(25s, "i-1");
  log.volume(30s, "vol-2", "", "creating").add(30s, "fault.made", {{"resource_id", "vol-2"}});
  log.tag(30s, "vol-2", "job").volume(41s, "vol-1", "available", "deleting");
  EXPECT_TRUE(holds(log.trainer(50s, "i-2", "start", 100), kOneSource));
  EXPECT_FALSE(holds(log.volume(60s, "vol-2", "in-use", "deleting"), kOneSource));
}

}  // namespace
}  // namespace sim::result
