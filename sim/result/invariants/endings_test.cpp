// The invariants about a job's end and about leftovers.
#include <map>

#include "sim/result/invariants/judged_for_test.h"

namespace sim::result {
namespace {

LogBuilder finished() {
  LogBuilder log = in_training();
  saves(log, 30s, "i-1", 300, "vol-1");
  return log.trainer(31s, "i-1", "finished", 300);
}

// ---- done-is-done

TEST(DoneIsDone, HoldsWhereTheTrainerHasFinished) {
  LogBuilder log = finished();
  phase(log, 5s, "i-1", "train");
  log.add(32s, "tags.created", {{"resource_id", "vol-1"}, {"tags", {{"spotrun:done", "now"}}}});
  phase(log, 33s, "i-1", "done");
  EXPECT_TRUE(holds(log, "done-is-done"));
}

TEST(DoneIsDone, BreaksWhereTheTagOrThePhaseReportsItBefore) {
  LogBuilder tagged = in_training(), said = in_training(), early = in_training();
  tagged.add(32s, "tags.created", {{"resource_id", "vol-1"}, {"tags", {{"spotrun:done", "now"}}}});
  EXPECT_EQ(judged(tagged, "done-is-done").found,
            "done on vol-1 at 10:00:32, but no trainer has finished");
  EXPECT_EQ(shown(tagged, "done-is-done"), Kinds{"tags.created"});
  phase(phase(said, 25s, "i-1", "train"), 33s, "i-1", "done");
  EXPECT_FALSE(holds(said, "done-is-done"));
  early.trainer(31s, "i-1", "finished", 200);
  phase(phase(early, 32s, "i-1", "train"), 33s, "i-1", "done");
  EXPECT_FALSE(holds(early, "done-is-done")) << "200 of 300 steps";
}

TEST(DoneIsDone, AnInstanceThatPreparesIsDoneWithThat) {
  LogBuilder log = in_training();
  phase(log, 25s, "i-0", "done");
  EXPECT_TRUE(holds(log, "done-is-done"));
}

TEST(DoneIsDone, BreaksWhereTheStateIsGone) {
  LogBuilder log = finished();
  log.volume(32s, "vol-1", "available", "deleting");
  phase(phase(log, 32s, "i-1", "train"), 33s, "i-1", "done");
  EXPECT_EQ(judged(log, "done-is-done").found,
            "done on i-1 at 10:00:33, but the checkpoint of step 300 (/data/m) was on vol-1, which "
            "was deleted at 10:00:32");
}

TEST(DoneIsDone, AVolumeThatFailsLaterOrSecondsBeforeIsNotTheJobs) {
  for (const auto& [fails, is_held] :
       {std::pair(12s, false), std::pair(30s, true), std::pair(33s, true)}) {
    LogBuilder log = finished();
    const auto claim = [&] {
      log.add(32s, "tags.created", {{"resource_id", "vol-1"}, {"tags", {{"spotrun:done", "now"}}}});
    };
    if (fails > 32s) claim();
    log.volume(fails, "vol-1", "available", "error");
    if (fails < 32s) claim();
    phase(phase(log, 34s, "i-1", "train"), 35s, "i-1", "done");
    EXPECT_EQ(holds(log, "done-is-done"), is_held) << fails.count();
  }
}

// ---- failed-is-not-done

TEST(FailedIsNotDone, BreaksWhereTheFleetIsCancelledAsIfAllWereDone) {
  for (const int status : {0, 143}) {
    LogBuilder log = in_training();
    exits(call(log, 30s, "i-1", "CancelSpotFleetRequests"), 31s, "i-1", status);
    EXPECT_EQ(judged(log, "failed-is-not-done").found,
              "i-1 called CancelSpotFleetRequests at 10:00:30, but no trainer has finished, and "
              "the job was not reported as failed");
    EXPECT_EQ(shown(log, "failed-is-not-done"), (Kinds{"api.call", "guest.exit"}));
  }
  LogBuilder killed = in_training();
  EXPECT_FALSE(holds(call(killed, 30s, "i-1", "CancelSpotFleetRequests"), "failed-is-not-done"))
      << "its machine ended first";
}

TEST(FailedIsNotDone, HoldsForJobsThatFinishedOrReportedTheirFailure) {
  LogBuilder done = finished(), status = in_training(), said = in_training(),
             refused = in_training(), operators = in_training();
  EXPECT_TRUE(holds(exits(call(done, 40s, "i-1", "CancelSpotFleetRequests"), 41s, "i-1", 0),
                    "failed-is-not-done"));
  EXPECT_TRUE(holds(exits(call(status, 40s, "i-1", "CancelSpotFleetRequests"), 41s, "i-1", 3),
                    "failed-is-not-done"));
  phase(said, 39s, "i-1", "failed");
  EXPECT_TRUE(holds(call(said, 40s, "i-1", "CancelSpotFleetRequests"), "failed-is-not-done"));
  call(refused, 40s, "i-1", "CancelSpotFleetRequests", "UnauthorizedOperation");
  EXPECT_TRUE(holds(refused, "failed-is-not-done"));
  EXPECT_TRUE(
      holds(call(operators, 40s, "operator", "CancelSpotFleetRequests"), "failed-is-not-done"));
}

// One of a job's two machines may stop a moment before the job has finished.
TEST(FailedIsNotDone, HoldsWhereTheJobHasFinishedInTheEnd) {
  LogBuilder log = in_training();
  call(log, 30s, "i-2", "CancelSpotFleetRequests").trainer(30s, "i-1", "finished", 300);
  EXPECT_TRUE(holds(log, "failed-is-not-done"));
}

// ---- nothing-attached

LogBuilder& attachment(LogBuilder& log, Duration at, const std::string& from,
                       const std::string& to) {
  return log.add(at, "attachment.state",
                 {{"volume_id", "vol-1"}, {"instance_id", "i-1"}, {"from", from}, {"to", to}});
}

TEST(NothingAttached, BreaksByWhatIsStillInAMachineThatIsGone) {
  LogBuilder log = in_training();
  attachment(log, 21s, "", "attaching");
  attachment(log, 22s, "attaching", "attached");
  EXPECT_TRUE(holds(log, "nothing-attached")) << "its instance still runs, which is another one's";
  log.shutting_down(30s, "i-1").terminated(31s, "i-1");
  EXPECT_EQ(judged(log, "nothing-attached").found, "vol-1 is attached since 2019-11-05T10:00:22Z");
  attachment(log, 32s, "attached", "detaching");
  EXPECT_TRUE(holds(log, "nothing-attached")) << "it is on its way";
  LogBuilder detached = log;
  attachment(detached, 33s, "detaching", "detached").end("failed", 1h);
  EXPECT_TRUE(holds(detached, "nothing-attached"));
  EXPECT_FALSE(holds(log.end("failed", 1h), "nothing-attached")) << "stuck";
}

TEST(NothingAttached, BreaksByAVolumeThatIsCreatingForever) {
  LogBuilder log, made;
  log.start().volume(1s, "vol-1", "", "creating");
  made = log;
  EXPECT_FALSE(holds(log.end("failed", 1h), "nothing-attached"));
  made.volume(5s, "vol-1", "creating", "available").end("failed", 1h);
  EXPECT_TRUE(holds(made, "nothing-attached"));
}

// ---- nothing-left

LogBuilder over(LogBuilder log) {
  log.shutting_down(100s, "i-1").terminated(101s, "i-1");
  return log;
}

TEST(NothingLeft, HoldsForTheJobsVolumeAndWhatWasThereBefore) {
  LogBuilder log;
  log.start().volume(1s, "vol-0", "", "creating");
  snapshot(log, 1s, "snap-0", "vol-0", "", "pending");
  log.launch(2s, "i-1", "us-west-2b").running(3s, "i-1");
  log.volume(4s, "vol-1", "", "creating").tag(4s, "vol-1", "job");
  EXPECT_TRUE(holds(over(log), "nothing-left"));
}

TEST(NothingLeft, BreaksByTheLeftoversOfAHop) {
  LogBuilder log = in_training();
  snapshot(log, 30s, "snap-1", "vol-1", "", "pending");
  volume_of(log, 31s, "vol-2", "snap-1");
  EXPECT_TRUE(holds(log, "nothing-left")) << "an instance runs, the job is not over";
  EXPECT_EQ(judged(over(log), "nothing-left").found, "snap-1, vol-2");
  EXPECT_EQ(shown(over(log), "nothing-left"), (Kinds{"snapshot.state", "volume.state"}));
  snapshot(log, 40s, "snap-1", "vol-1", "pending", "deleted");
  log.volume(41s, "vol-2", "creating", "deleting");
  EXPECT_TRUE(holds(over(log), "nothing-left"));
}

TEST(NothingLeft, WhatAloneHasTheNewestCheckpointIsMeantToStay) {
  LogBuilder log = in_training();
  snapshot(log, 30s, "snap-1", "vol-1", "", "pending");
  log.volume(31s, "vol-1", "available", "deleting");
  EXPECT_TRUE(holds(over(log), "nothing-left"));
}

TEST(NothingLeft, OfSnapshotsThatAreCheckpointsTheNewestStays) {
  LogBuilder log = in_training();
  log.add(29s, "trainer.checkpoint-durable",
          {{"instance_id", "i-1"}, {"step", 100}, {"tier", "snapshot"}});
  for (const char* id : {"snap-1", "snap-2", "snap-3"}) {
    snapshot(log, 30s + std::chrono::seconds(10 * (id[5] - '0')), id, "vol-1", "", "pending");
    if (id[5] != '3')
      snapshot(log, 31s + std::chrono::seconds(10 * (id[5] - '0')), id, "vol-1", "pending",
               "completed");
  }
  log.shutting_down(200s, "i-1").terminated(201s, "i-1");
  EXPECT_EQ(judged(log, "nothing-left").found, "snap-1");
}

// The trainer had ended before the snapshot became complete.
TEST(NothingLeft, KeepsTheFirstSnapshotOfATrainerThatKeepsThem) {
  for (const bool tells : {false, true}) {
    LogBuilder log = in_training();
    if (tells)
      log.add(30s, "trainer.checkpoint-begin",
              {{"instance_id", "i-1"}, {"step", 200}, {"tiers", {"volume", "snapshot"}}});
    snapshot(log, 31s, "snap-1", "vol-1", "", "pending");
    log.shutting_down(40s, "i-1").terminated(41s, "i-1");
    snapshot(log, 50s, "snap-1", "vol-1", "pending", "completed");
    EXPECT_EQ(holds(log, "nothing-left"), tells);
  }
}

// ---- one-fleet

LogBuilder& request_fleet(LogBuilder& log, Duration at, const std::string& id,
                          const std::string& token, const std::string& type = "p3.2xlarge") {
  log.add(at, "fleet.state",
          {{"fleet_id", id}, {"from", ""}, {"to", "submitted"}, {"type", "maintain"}});
  return log.add(at, "api.call",
                 {{"service", "ec2"},
                  {"action", "RequestSpotFleet"},
                  {"caller", "operator"},
                  {"result", "ok"},
                  {"request",
                   {{"SpotFleetRequestConfig.ClientToken", token},
                    {"SpotFleetRequestConfig.LaunchSpecifications.1.InstanceType", type}}}});
}

LogBuilder& fleet_is(LogBuilder& log, Duration at, const std::string& id, const std::string& to) {
  return log.add(at, "fleet.state", {{"fleet_id", id}, {"from", "submitted"}, {"to", to}});
}

TEST(OneFleet, BreaksByARequestThatWasSentAgain) {
  LogBuilder log;
  fleet_is(request_fleet(log.start(), 1s, "sfr-1", "a"), 2s, "sfr-1", "active");
  EXPECT_TRUE(holds(log, "one-fleet"));
  request_fleet(log, 61s, "sfr-2", "b");
  EXPECT_EQ(judged(log, "one-fleet").found, "sfr-1 and, since 2019-11-05T10:01:01Z, sfr-2");
  EXPECT_EQ(shown(log, "one-fleet"), (Kinds{"api.call", "api.call"}));
}

TEST(OneFleet, HoldsForFleetsOneAfterTheOtherAndForOthers) {
  LogBuilder after, other, none;
  request_fleet(after.start(), 1s, "sfr-1", "a");
  fleet_is(after, 10s, "sfr-1", "cancelled_running");
  EXPECT_TRUE(holds(request_fleet(after, 20s, "sfr-2", "b"), "one-fleet"));
  request_fleet(other.start(), 1s, "sfr-1", "a");
  EXPECT_TRUE(holds(request_fleet(other, 2s, "sfr-2", "b", "p2.xlarge"), "one-fleet"));
  EXPECT_FALSE(applies(none.start(), "one-fleet"));
}

// ---- nothing-idle

LogBuilder ended_at_100s() {
  LogBuilder log = in_training();
  log.trainer(99s, "i-1", "crash", 100);
  return exits(log, 100s, "i-1", 1);
}

TEST(NothingIdle, BreaksAQuarterOfAnHourAfterTheUserDatasEnd) {
  LogBuilder soon = ended_at_100s(), late = ended_at_100s();
  EXPECT_TRUE(holds(soon.shutting_down(800s, "i-1"), "nothing-idle"));
  late.shutting_down(1001s, "i-1");
  EXPECT_EQ(judged(late, "nothing-idle").found,
            "i-1 was idle from 2019-11-05T10:01:40Z to 2019-11-05T10:16:41Z");
  EXPECT_EQ(shown(late, "nothing-idle"), Kinds{"guest.exit"});
  LogBuilder never = ended_at_100s();
  EXPECT_FALSE(holds(never.end("failed", 1h), "nothing-idle"));
}

TEST(NothingIdle, HoldsForInterruptedInstancesAndBackgroundTraining) {
  LogBuilder taken = ended_at_100s(), background = in_training();
  taken.notice(200s, "i-1").shutting_down(2000s, "i-1");
  EXPECT_TRUE(holds(taken, "nothing-idle"));
  saves(exits(background, 30s, "i-1", 0), 1990s, "i-1", 200, "vol-1");
  background.shutting_down(2000s, "i-1");
  EXPECT_TRUE(holds(background, "nothing-idle"));
}

TEST(NothingIdle, BesideATrainerOnlyWhatSpotrunHasLeftIsIdle) {
  for (const bool spotruns : {false, true}) {
    LogBuilder log = in_training();
    log.launch(21s, "i-2", "us-west-2b").running(22s, "i-2");
    if (spotruns) phase(log, 23s, "i-2", "wait-detached");
    exits(log, 30s, "i-2", 4);
    saves(log, 1990s, "i-1", 200, "vol-1").shutting_down(2000s, "i-2");
    EXPECT_EQ(holds(log, "nothing-idle"), !spotruns);
  }
}

TEST(NothingIdle, OneMoreThanAFaultHasMade) {
  LogBuilder log = in_training();
  log.launch(21s, "i-2", "us-west-2b").add(21s, "fault.made", {{"resource_id", "i-2"}});
  phase(log.running(22s, "i-2"), 23s, "i-2", "wait-detached");
  exits(log, 30s, "i-2", 4);
  saves(log, 40s, "i-1", 200, "vol-1");
  LogBuilder two = log;
  EXPECT_TRUE(holds(log.shutting_down(2000s, "i-2"), "nothing-idle"));
  phase(two.launch(31s, "i-3", "us-west-2b").running(32s, "i-3"), 33s, "i-3", "wait-detached");
  exits(two, 40s, "i-3", 4).shutting_down(2000s, "i-2");
  EXPECT_FALSE(holds(two, "nothing-idle"));
}

// ---- finished-is-told

TEST(FinishedIsTold, BreaksWhereNothingRunsAndTheEndIsUnreported) {
  LogBuilder told = finished(), untold = finished(), runs = finished(), foreign = finished();
  EXPECT_FALSE(applies(over(foreign), "finished-is-told")) << "spotrun did not run it";
  phase(told, 40s, "i-1", "train");
  told.add(41s, "tags.created", {{"resource_id", "vol-1"}, {"tags", {{"spotrun:done", "now"}}}});
  EXPECT_TRUE(holds(over(told), "finished-is-told"));
  phase(runs, 40s, "i-1", "train");
  EXPECT_TRUE(holds(runs, "finished-is-told")) << "its instance may tell it yet";
  phase(untold, 40s, "i-1", "train");
  EXPECT_FALSE(holds(over(untold), "finished-is-told"));
  EXPECT_EQ(shown(over(untold), "finished-is-told"), Kinds{"trainer.finished"});
}

// ---- one-volume, job-ends, job-completes

TEST(OneVolume, ShowsWhatTaggedThem) {
  LogBuilder log = in_training();
  EXPECT_TRUE(holds(log, "one-volume"));
  log.volume(30s, "vol-2", "", "creating").tag(30s, "vol-2", "job");
  EXPECT_EQ(judged(log, "one-volume").found, "2");
  EXPECT_EQ(judged(log, "one-volume").what, "exactly one volume has the tag Name=job at the end");
  EXPECT_EQ(shown(log, "one-volume"), (Kinds{"tags.created", "tags.created"}));
}

TEST(OneVolume, NoneIsExpectedOfAJobThatFailsBeforeItHasOne) {
  LogBuilder refused, finished;
  refused.start().end("failed", 10s);
  EXPECT_TRUE(holds(refused, "one-volume"));
  finished.start().trainer(10s, "i-1", "start", 0).trainer(20s, "i-1", "finished", 100);
  EXPECT_FALSE(holds(finished, "one-volume"));
}

TEST(JobEnds, BreaksAtTheLimit) {
  for (const auto& [outcome, ends] : std::map<std::string, bool>{
           {"completed", true}, {"failed", true}, {"deadline", false}, {"stuck", false}}) {
    LogBuilder log;
    EXPECT_EQ(holds(log.start().end(outcome, 1h), "job-ends"), ends) << outcome;
    EXPECT_FALSE(applies(log, "job-completes"));
    EXPECT_EQ(holds(log, "job-completes", {.must_complete = true}), outcome == "completed");
  }
}

// A job whose volume fails at 50 s. `before` are the lines before the failure, `after` the lines
// that follow.
bool must_complete(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  LogBuilder log = in_training();
  std::string from;
  Duration at = 30s;
  for (const auto& to : before) {
    snapshot(log, at += 1s, "snap-1", "vol-1", from, to);
    from = to;
  }
  log.volume(50s, "vol-1", "in-use", "error");
  for (const auto& to : after) snapshot(log, 60s, "snap-1", "vol-1", from, to);
  log.shutting_down(70s, "i-1").terminated(71s, "i-1").end("failed", 80s);
  return !holds(log, "job-completes", {.must_complete = true});
}

TEST(JobCompletes, UnlessHardwareTookTheLastOfIt) {
  EXPECT_TRUE(must_complete({"pending", "completed"}, {}));
  EXPECT_TRUE(must_complete({"pending"}, {"completed"}));
  EXPECT_TRUE(must_complete({"pending", "completed"}, {"deleted"}));
  EXPECT_FALSE(must_complete({}, {}));
  EXPECT_FALSE(must_complete({"pending"}, {"error"}));
  EXPECT_FALSE(must_complete({"pending", "completed", "deleted"}, {}));
}

}  // namespace
}  // namespace sim::result
