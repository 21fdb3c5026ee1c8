// The record of a trainer's progress on the volume.
#include "orchestrator/instance/instance_for_test.h"
#include "orchestrator/job/training_progress.h"

namespace spotrun {
namespace {

using testing::InstanceTest;

// With an operator that runs a strategy.
struct ProgressTest : InstanceTest {
  ProgressTest() { ec2.volumes[volume].tags[tags::kStrategySince] = "2019-11-05T00:00:00.000Z"; }
  // The recorded training time, after a notice at that time has stopped the last trainer.
  Duration trained(std::chrono::minutes notice) {
    metadata.ends = clock.time + notice + std::chrono::minutes{2};
    EXPECT_EQ(run(), ExitCode::kStopped);
    aws::Volume noted;
    noted.tags = ec2.volumes[volume].tags;
    return read_progress(noted).trained["p3.2xlarge"];
  }
};

TEST_F(ProgressTest, CountsTheTimeOfATrainerThatSaves) {
  const Duration counted = trained(std::chrono::minutes{1});
  EXPECT_GT(counted, std::chrono::seconds{30});
  EXPECT_LE(counted, std::chrono::seconds{75});
  EXPECT_EQ(tag(tags::kTrainsSince), "");
}

// The record is for people. If AWS refuses it for ten minutes, neither the trainer nor the hop
// waits for it.
TEST_F(ProgressTest, ANoteThatAwsRefusesDelaysNoTrainer) {
  const Time begin = clock.time;
  ec2.around = [&](int, bool after) {  // the mounted volume's mark has been written
    if (after && ec2.calls.back() == "CreateTags") throttle("CreateTags", std::chrono::minutes{10});
  };
  metadata.ends = clock.time + std::chrono::minutes{4};
  machine.runs_for = std::chrono::hours{1};
  EXPECT_EQ(run(), ExitCode::kStopped);
  EXPECT_EQ(machine.started, 1);
  EXPECT_LT(machine.begun - begin, std::chrono::seconds{30});
}

TEST_F(ProgressTest, ANoteThatAwsRefusesLetsTheVolumeGoBeforeTheNoticesEnd) {
  metadata.ends = clock.time + std::chrono::minutes{3};
  Time released{};
  ec2.around = [&](int, bool after) {
    if (after && ec2.calls.back() == "DetachVolume") released = clock.time;
  };
  machine.runs_for = std::chrono::hours{1};
  clock.on_sleep = [this] {
    if (machine.started > 0) ec2.refuse["CreateTags"] = "RequestLimitExceeded";
  };
  EXPECT_EQ(run(), ExitCode::kStopped);
  EXPECT_NE(released, Time{});
  EXPECT_LT(released, *metadata.ends - std::chrono::minutes{1});
  expect_released();
}

TEST_F(ProgressTest, NothingCountsOfATrainerThatIsEndedWithoutSaving) {
  for (const ExitStatus status : {ExitStatus{0, SIGTERM}, ExitStatus{128 + SIGTERM}, {1}}) {
    ProgressTest world;
    world.machine.end_when_told = status;
    EXPECT_EQ(world.trained(std::chrono::minutes{1}), Duration{}) << describe(status);
  }
}

TEST_F(ProgressTest, NothingCountsOfARunThatFailed) {
  job.train.max_restarts = 2;
  machine.ends = {{1}};  // after two minutes
  const Duration counted = trained(std::chrono::minutes{5});
  EXPECT_EQ(machine.started, 3);
  EXPECT_GT(counted, Duration{});
  EXPECT_LE(counted, std::chrono::minutes{1});
}

TEST_F(ProgressTest, ARunThatFailsIsForgottenWhenTheNextBegins) {
  job.train.max_restarts = 1;
  machine.ends = {{1}};
  std::vector<std::string> begins;
  clock.on_sleep = [&] {
    const std::string since = tag(tags::kTrainsSince).substr(0, 24);
    if (begins.empty() || since != begins.back()) begins.push_back(since);
  };
  EXPECT_EQ(run(), ExitCode::kJobFailed);
  ASSERT_EQ(begins.size(), 3u) << "none, and two starts";
  EXPECT_GT(*parse_iso_time(begins[2]) - *parse_iso_time(begins[1]), std::chrono::minutes{2});
}

TEST_F(ProgressTest, ARunThatSavedAndEndedOfItselfCounts) {
  machine.ends = {{75}};  // after two minutes
  const Duration counted = trained(std::chrono::minutes{3});
  EXPECT_EQ(machine.started, 2);
  EXPECT_GE(counted, std::chrono::minutes{2});
}

}  // namespace
}  // namespace spotrun
