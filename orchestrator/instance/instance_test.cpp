#include "orchestrator/instance/instance.h"

#include "orchestrator/acquire/prepare.h"
#include "orchestrator/acquire/submit.h"
#include "orchestrator/instance/instance_for_test.h"

namespace spotrun {
namespace {

using testing::FakeEc2;
using testing::InstanceTest;

TEST_F(InstanceTest, AFinishedTrainerEndsTheJobAndCancelsTheFleet) {
  EXPECT_EQ(run(), ExitCode::kDone);
  EXPECT_TRUE(ec2.cancelled_fleets.contains("sfr-1"));
  EXPECT_NE(tag(tags::kDone), "");
  EXPECT_EQ(machine.environment["DATA_DIR"], "/dltraining/datasets");
  EXPECT_EQ(machine.environment["EMULATE_STEP_TIME"], "4.5s");
  EXPECT_EQ(machine.environment["NOTICE_RESERVE"], "20s");
  EXPECT_EQ(process.log.phases, (std::vector<std::string>{"find-volume", "attach", "mount", "train",
                                                          "clean-up", "done"}));
  expect_released();
}

struct BucketJobTest : InstanceTest {
  BucketJobTest() { job.checkpoints = "s3://data/job"; }
  void expect_volumes_left_alone() {
    for (const std::string& action : ec2.calls) {
      EXPECT_EQ(action.find("Volume"), action.npos) << action;
      EXPECT_EQ(action.find("Tags"), action.npos) << action;
    }
  }
};

TEST_F(BucketJobTest, ATrainerIsStartedWithoutAVolume) {
  EXPECT_EQ(run(), ExitCode::kDone);
  EXPECT_EQ(machine.environment["CHECKPOINT_DIR"], "s3://data/job");
  EXPECT_EQ(machine.environment["DATA_DIR"], "/dltraining/datasets");
  EXPECT_EQ(process.log.phases, (std::vector<std::string>{"train", "clean-up", "done"}));
  EXPECT_TRUE(ec2.cancelled_fleets.contains("sfr-1"));
  expect_volumes_left_alone();
}

TEST_F(BucketJobTest, AFailureEndsTheFleetAndANoticeDoesNot) {
  metadata.ends = clock.time + std::chrono::minutes{3};
  EXPECT_EQ(run(), ExitCode::kStopped);
  EXPECT_TRUE(ec2.cancelled_fleets.empty());
  metadata.ends.reset();
  machine.ends = {{1}};
  EXPECT_EQ(run(), ExitCode::kJobFailed);
  EXPECT_TRUE(ec2.cancelled_fleets.contains("sfr-1"));
  expect_volumes_left_alone();
}

TEST_F(InstanceTest, AFailedTrainerIsNeverASuccess) {
  machine.ends = {{1}};
  EXPECT_EQ(run(), ExitCode::kJobFailed);
  EXPECT_EQ(tag(tags::kDone), "");
  EXPECT_EQ(tag(tags::kFailed), "the trainer failed: exit status 1");
  EXPECT_TRUE(ec2.cancelled_fleets.contains("sfr-1"));
  expect_released();
}

TEST_F(InstanceTest, AFailedTrainerIsRestartedAsOftenAsTheJobAllows) {
  job.train.max_restarts = 2;
  machine.ends = {{1}, {0, SIGSEGV}, {0}};
  EXPECT_EQ(run(), ExitCode::kDone);
  EXPECT_EQ(machine.started, 3);
}

// The pauses grow, here to 25 minutes in total.
TEST_F(InstanceTest, ATrainerThatFailsAgainAndAgainWithoutACheckpointFailsTheJob) {
  job.train.max_restarts = 100;
  machine.ends = {{1}};
  const Time begin = clock.time;
  EXPECT_EQ(run(), ExitCode::kJobFailed);
  EXPECT_EQ(machine.started, 11);
  EXPECT_EQ(tag(tags::kFailed),
            "the trainer failed: exit status 1, 11 times in a row without a new checkpoint");
  EXPECT_GE(clock.time - begin, std::chrono::minutes{22 + 25});
  EXPECT_LT(clock.time - begin, std::chrono::minutes{22 + 35});
  expect_released();
}

TEST_F(InstanceTest, ATrainerThatSavesBetweenItsFailuresIsRestartedAsOftenAsTheJobAllows) {
  job.train.max_restarts = 30;
  machine.ends = {{1}};
  machine.state = [this] { return std::to_string(machine.started); };
  const Time begin = clock.time;
  EXPECT_EQ(run(), ExitCode::kJobFailed);
  EXPECT_EQ(machine.started, 31);
  EXPECT_LT(clock.time - begin, 31 * std::chrono::minutes{2} + std::chrono::minutes{6});
  EXPECT_EQ(machine.mounts, 1);
}

// A trainer that crashes now and then, and rarely saves.
TEST_F(InstanceTest, ATrainerThatRunsLongBeforeItFailsIsRestartedAsOftenAsTheJobAllows) {
  job.train.max_restarts = 30;
  machine.ends = {{1}};
  machine.runs_for = std::chrono::minutes{10};
  EXPECT_EQ(run(), ExitCode::kJobFailed);
  EXPECT_EQ(machine.started, 31);
  EXPECT_EQ(machine.mounts, 1);
}

// Simulates a file system that became read-only by an error that has passed.
TEST_F(InstanceTest, TheVolumeIsMountedAnewBeforeASecondRestartWithoutACheckpoint) {
  job.train.max_restarts = 3;
  machine.ends = {{1}, {1}, {0}};
  EXPECT_EQ(run(), ExitCode::kDone);
  EXPECT_EQ(machine.mounts, 2);
}

TEST_F(InstanceTest, AVolumeThatCannotBeMountedAnewFailsTheJob) {
  job.train.max_restarts = 3;
  machine.ends = {{1}};
  clock.on_sleep = [this] { machine.mount_error = machine.started > 0; };
  EXPECT_EQ(run(), ExitCode::kMachine);
  EXPECT_EQ(tag(tags::kFailed), "cannot mount /dev/xvdf");
}

TEST_F(InstanceTest, ANoticeIsSeenWhileATrainerWaitsForItsRestart) {
  job.train.max_restarts = 100;
  machine.ends = {{1}};
  metadata.ends = clock.time + std::chrono::minutes{30};
  Time released{};
  ec2.around = [&](int, bool) {
    if (!ec2.calls.empty() && ec2.calls.back() == "DetachVolume") released = clock.time;
  };
  EXPECT_EQ(run(), ExitCode::kStopped);
  EXPECT_FALSE(machine.running);
  EXPECT_LT(released, *metadata.ends - std::chrono::seconds{100});
}

TEST_F(InstanceTest, ANoticeStopsTheTrainerAndFreesTheVolumeBeforeTheDeadline) {
  metadata.ends = clock.time + std::chrono::minutes{3};
  Time released{};
  ec2.around = [&](int, bool) {
    if (!ec2.calls.empty() && ec2.calls.back() == "DetachVolume") released = clock.time;
  };
  EXPECT_EQ(run(), ExitCode::kStopped);
  EXPECT_LT(released, *metadata.ends - std::chrono::minutes{1});
  EXPECT_TRUE(ec2.cancelled_fleets.empty());
  EXPECT_EQ(tag(tags::kFailed), "");
  expect_released();
}

TEST_F(InstanceTest, AnInvalidInstanceActionIsLoggedAndIgnored) {
  for (const char* action : {R"({"action": "terminate"})",
                             R"({"action": "none", "time": "2019-11-05T00:00:00Z"})", "<html>"}) {
    InstanceTest world;
    world.metadata.action = action;
    EXPECT_EQ(world.run(), ExitCode::kDone) << action;
    const auto& lines = world.process.log.lines;
    EXPECT_NE(std::ranges::find(lines, std::string("spot/instance-action is no notice: ") + action),
              lines.end());
  }
}

TEST_F(InstanceTest, ATrainerThatHangsIsStartedAgain) {
  job.train.hang_timeout = std::chrono::minutes{30};
  machine.hangs = 2;
  const Time begin = clock.time;
  EXPECT_EQ(run(), ExitCode::kDone);
  EXPECT_EQ(machine.started, 3);
  EXPECT_GE(clock.time - begin, std::chrono::minutes{60});
  EXPECT_LT(clock.time - begin, std::chrono::minutes{66});
}

TEST_F(InstanceTest, ATrainerThatKeepsHangingFailsTheJob) {
  job.train.hang_timeout = std::chrono::minutes{30};
  machine.hangs = 100;
  EXPECT_EQ(run(), ExitCode::kJobFailed);
  EXPECT_EQ(machine.started, 4);
  EXPECT_NE(tag(tags::kFailed).find("it hangs"), std::string::npos);
}

// Sets the clock an hour ahead, as NTP may do.
TEST_F(InstanceTest, AClockThatIsSetMakesNoTrainerHang) {
  job.train.hang_timeout = std::chrono::minutes{30};
  bool set = false;
  clock.on_sleep = [&] {
    if (!machine.running || std::exchange(set, true)) return;
    clock.time += clock.set_by = std::chrono::hours{1};
    machine.begun += clock.set_by;
  };
  EXPECT_EQ(run(), ExitCode::kDone);
  EXPECT_EQ(machine.started, 1);
  EXPECT_TRUE(set);
}

// Trainers here need two minutes and report no progress. If the folder changes, a trainer may take
// any time.
TEST_F(InstanceTest, AFolderThatChangesIsProgress) {
  job.train.hang_timeout = std::chrono::seconds{60};
  machine.state = [this] { return std::to_string(clock.time.time_since_epoch().count() / 50'000); };
  EXPECT_EQ(run(), ExitCode::kDone);
  EXPECT_EQ(machine.started, 1);
}

TEST_F(InstanceTest, ANoticeIsSeenThoughTheRebalanceRecommendationCannotBeRead) {
  metadata.ends = clock.time + std::chrono::minutes{3};
  metadata.rebalance_status = 500;
  EXPECT_EQ(run(), ExitCode::kStopped);
}

// A machine that goes down signals all processes: the trainer gets SIGTERM first, and has ended
// when spotrun gets it.
TEST_F(InstanceTest, ATrainerThatEndsJustBeforeTheStopSignalHasNotFailed) {
  machine.ends = {{75}};
  clock.on_sleep = [&] {
    if (machine.started == 1 && !machine.running) {
      clock.on_sleep = [] {};
      throw Stopped();
    }
  };
  EXPECT_EQ(run(), ExitCode::kStopped);
  EXPECT_EQ(tag(tags::kFailed), "");
  EXPECT_TRUE(ec2.cancelled_fleets.empty());
  expect_released();
}

TEST_F(InstanceTest, AFinishedJobIsDoneThoughEc2ThrottlesForMinutes) {
  ec2.around = [&](int, bool after) {
    if (after && machine.started == 0) throttle("CreateTags", std::chrono::minutes{4});
  };
  EXPECT_EQ(run(), ExitCode::kDone);
  EXPECT_NE(tag(tags::kDone), "");
  EXPECT_EQ(tag(tags::kFailed), "");
}

TEST_F(InstanceTest, AFinishedJobThatCannotCancelItsFleetIsStillDoneForTheOperator) {
  ec2.refuse["CancelSpotFleetRequests"] = "UnauthorizedOperation";
  EXPECT_EQ(run(), ExitCode::kAws);
  EXPECT_EQ(tag(tags::kFailed), "");
  EXPECT_EQ(wait_for_job(process.context, job), ExitCode::kDone);
}

TEST_F(InstanceTest, TheFleetOfAFailedJobIsCancelledThoughTheVolumeCannotBeTagged) {
  machine.ends = {{1}};
  ec2.around = [&](int, bool after) {
    if (after && ec2.calls.back() == "AttachVolume") {
      ec2.refuse["CreateTags"] = "UnauthorizedOperation";
    }
  };
  EXPECT_EQ(run(), ExitCode::kJobFailed);
  EXPECT_TRUE(ec2.cancelled_fleets.contains("sfr-1"));
}

// The answer to each changing request is lost once, after its effect, and the request is repeated.
TEST_F(InstanceTest, ALostAnswerToAnyRequestLeavesOneVolumeAndAFinishedJob) {
  for (int lost = 0;; ++lost) {
    SCOPED_TRACE(::testing::Message() << "answer to change " << lost);
    InstanceTest world;
    world.ec2.instances[world.instance].zone = "us-west-2a";
    bool happened = false;
    world.ec2.around = [&](int n, bool after) {
      if (!after || n != lost || happened) return;
      happened = true;
      throw client::TransportError("the connection is reset");
    };
    EXPECT_EQ(world.run(), ExitCode::kDone);
    world.expect_released();
    ASSERT_EQ(world.ec2.live_volumes().size(), 1u);
    EXPECT_NE(world.ec2.live_volumes()[0]->tags[tags::kDone], "");
    EXPECT_EQ(world.ec2.live_volumes()[0]->tags[tags::kFailed], "");
    EXPECT_TRUE(world.ec2.snapshots.empty());
    EXPECT_TRUE(world.ec2.cancelled_fleets.contains("sfr-1"));
    if (!happened) {
      EXPECT_GT(lost, 10);
      return;
    }
  }
}

TEST_F(InstanceTest, AFleetThatWasCancelledWithoutItsInstancesLeavesUsToTerminate) {
  ec2.cancelled_fleets.insert("sfr-1");
  EXPECT_EQ(run(), ExitCode::kDone);
  EXPECT_EQ(ec2.instances[instance].state, "shutting-down");
}

TEST_F(InstanceTest, AHopThatAwsRefusesFailsTheJobForItsWaiters) {
  ec2.instances[instance].zone = "us-west-2a";
  ec2.refuse["CreateSnapshot"] = "UnauthorizedOperation";
  EXPECT_EQ(run(), ExitCode::kAws);
  EXPECT_TRUE(ec2.cancelled_fleets.contains("sfr-1"));
  EXPECT_EQ(job_status(process.context, job), ExitCode::kJobFailed);
}

TEST_F(InstanceTest, AJobThatAwsEndsInTheMiddleOfAHopLeavesNothingBehind) {
  ec2.instances[instance].zone = "us-west-2a";
  ec2.refuse["CreateVolume"] = "UnauthorizedOperation";
  EXPECT_EQ(run(), ExitCode::kAws);
  EXPECT_TRUE(ec2.snapshots.empty());
  EXPECT_EQ(ec2.live_volumes().size(), 1u);
}

TEST_F(InstanceTest, WhatAHopCouldNotDeleteIsDeletedAtTheJobsEnd) {
  ec2.instances[instance].zone = "us-west-2a";
  ec2.refuse["DeleteSnapshot"] = "UnauthorizedOperation";
  clock.on_sleep = [this] {
    if (machine.started > 0) ec2.refuse.clear();
  };
  EXPECT_EQ(run(), ExitCode::kDone);
  EXPECT_TRUE(ec2.snapshots.empty());
  ASSERT_EQ(ec2.live_volumes().size(), 1u);
  EXPECT_FALSE(ec2.live_volumes()[0]->tags.contains(tags::kHopOf));
}

TEST_F(InstanceTest, AJobIsNotDoneWhoseVolumeHasFailedSinceItWasAttached) {
  ec2.volumes[volume].fails = true;
  EXPECT_EQ(run(), ExitCode::kVolume);
  EXPECT_EQ(tag(tags::kDone), "");
  EXPECT_NE(tag(tags::kFailed), "");
  EXPECT_TRUE(ec2.cancelled_fleets.contains("sfr-1"));
}

TEST_F(InstanceTest, AJobWhoseVolumeFailedGoesOnFromItsBackup) {
  ec2.volumes[volume].fails = true;
  ec2.snapshots["snap-1"] = {.id = "snap-1",
                             .volume = volume,
                             .state = "completed",
                             .started = clock.time,
                             .content = 7,
                             .tags = {{"Name", "data"}}};
  EXPECT_EQ(run(), ExitCode::kDone);
  EXPECT_EQ(machine.started, 2);
  ASSERT_EQ(ec2.live_volumes().size(), 1u);
  EXPECT_EQ(ec2.live_volumes()[0]->content, 7);
  EXPECT_NE(ec2.live_volumes()[0]->tags[tags::kDone], "");
}

TEST_F(InstanceTest, AReplacementOfAFinishedJobOnlyCleansUp) {
  ec2.volumes[volume].tags[tags::kDone] = "2019-11-05T00:00:00.000Z";
  EXPECT_EQ(run(), ExitCode::kDone);
  EXPECT_EQ(machine.started, 0);
  EXPECT_TRUE(ec2.cancelled_fleets.contains("sfr-1"));
}

TEST_F(InstanceTest, OnlyABlankVolumeIsFormatted) {
  machine.content = {DeviceContent::Kind::kBlank, ""};
  EXPECT_EQ(run(), ExitCode::kDone);
  EXPECT_EQ(machine.formatted, 1);
}

TEST_F(InstanceTest, ADamagedVolumeIsLeftAsItIs) {
  machine.content = {DeviceContent::Kind::kUnknown, "not zero"};
  EXPECT_EQ(run(), ExitCode::kVolume);
  EXPECT_EQ(machine.formatted + machine.started, 0);
}

TEST_F(InstanceTest, AnotherWorkingInstanceIsNotCancelled) {
  const std::string other = ec2.add_instance("us-west-2b").id;
  ec2.volumes[volume].holder = other;
  ec2.volumes[volume].state = "in-use";
  ec2.volumes[volume].attachment = "attached";
  EXPECT_EQ(run(), ExitCode::kVolumeHeld);
  EXPECT_TRUE(ec2.cancelled_fleets.empty());
}

TEST_F(InstanceTest, PreparingLeavesAFreeVolumeWithItsTagAndTerminates) {
  ec2.instances[instance].tags.clear();
  const auto self = identity_of(ec2.instances[instance]);
  EXPECT_EQ(prepare_on_instance(context, job, self), ExitCode::kDone);
  EXPECT_NE(tag(tags::kPrepared), "");
  EXPECT_EQ(ec2.instances[instance].state, "shutting-down");
  expect_released();
  const auto calls = ec2.calls;
  prepare(process.context, job);  // the operator's command finds nothing to do
  EXPECT_EQ(ec2.calls, calls);
}

// `spotrun prepare` of the operator. Its instance finishes at once.
void prepare_by_a_quick_instance(InstanceTest& world) {
  world.clock.on_sleep = [&world] {
    for (auto& [id, made] : world.ec2.instances) {
      if (made.state != "running" || !made.tags.contains(tags::kPreparesVolume)) continue;
      auto& volume = world.ec2.volumes[made.tags[tags::kPreparesVolume]];
      volume.tags[tags::kPrepared] = iso_time(world.clock.time);
      world.ec2.terminate(id);
    }
  };
  prepare(world.process.context, world.job);
}

TEST_F(InstanceTest, AVolumeThatFailedBeforeAnyTrainingIsPreparedAnew) {
  ec2.instances[instance].tags.clear();
  const auto self = identity_of(ec2.instances[instance]);
  ASSERT_EQ(prepare_on_instance(context, job, self), ExitCode::kDone);
  ec2.volumes[volume].state = "error";
  prepare_by_a_quick_instance(*this);
  const auto live = ec2.live_volumes();
  ASSERT_EQ(live.size(), 1u);
  EXPECT_NE(live[0]->id, volume);
  EXPECT_TRUE(live[0]->tags.contains(tags::kPrepared));
}

TEST_F(InstanceTest, AFailedVolumeThatWasTrainedOnIsNotPreparedAnew) {
  ec2.volumes[volume].tags[tags::kPrepared] = iso_time(clock.time);
  clock.time += std::chrono::minutes{1};
  ASSERT_EQ(run(), ExitCode::kDone);
  ec2.volumes[volume].state = "error";
  EXPECT_THROW(prepare_by_a_quick_instance(*this), Failure);
  EXPECT_EQ(ec2.live_volumes().size(), 1u);
}

TEST_F(InstanceTest, AFailedPrepareCommandIsNoPreparedVolume) {
  ec2.instances[instance].tags.clear();
  machine.command_status = {1};
  const auto self = identity_of(ec2.instances[instance]);
  EXPECT_EQ(prepare_on_instance(context, job, self), ExitCode::kJobFailed);
  EXPECT_EQ(tag(tags::kPrepared), "");
  EXPECT_NE(tag(tags::kPrepareFailed), "");
  EXPECT_EQ(ec2.instances[instance].state, "shutting-down");
}

TEST_F(InstanceTest, PreparingThatIsStoppedHasNotFailedAndBeginsAgain) {
  ec2.instances[instance].tags.clear();
  machine.stop_during_command = true;
  const auto self = identity_of(ec2.instances[instance]);
  EXPECT_EQ(prepare_on_instance(context, job, self), ExitCode::kStopped);
  EXPECT_EQ(tag(tags::kPrepareFailed), "");
  EXPECT_EQ(tag(tags::kPrepared), "");
  EXPECT_EQ(ec2.instances[instance].state, "shutting-down");
  expect_released();
  machine.stop_during_command = false;
  const auto next = identity_of(ec2.add_instance("us-west-2b"));
  EXPECT_EQ(prepare_on_instance(context, job, next), ExitCode::kDone);
  EXPECT_NE(tag(tags::kPrepared), "");
}

TEST_F(InstanceTest, PreparingOutlastsMinutesOfThrottling) {
  ec2.instances[instance].tags.clear();
  throttle("DescribeVolumes", std::chrono::minutes{1});
  const auto self = identity_of(ec2.instances[instance]);
  EXPECT_EQ(prepare_on_instance(context, job, self), ExitCode::kDone);
}

TEST_F(InstanceTest, TheOperatorSeesTheOutcomeInTheVolumesTags) {
  EXPECT_EQ(job_status(process.context, job), std::nullopt);
  EXPECT_EQ(run(), ExitCode::kDone);
  EXPECT_EQ(wait_for_job(process.context, job), ExitCode::kDone);
}

}  // namespace
}  // namespace spotrun
