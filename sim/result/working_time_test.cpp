// The time that a trainer worked, from logs written by hand.
#include "sim/result/working_time.h"

#include <gtest/gtest.h>

#include "sim/events/event_log.h"
#include "sim/result/history_builder.h"
#include "sim/result/log_builder_for_test.h"

namespace sim::result {
namespace {

using namespace std::chrono_literals;

// Trains from 100 s on, and stands still for a checkpoint from 130 to 134 s.
LogBuilder one_trainer() {
  LogBuilder log;
  log.start().launch(10s, "i-1", "us-west-2b").running(30s, "i-1").boot(70s, "i-1");
  log.trainer(100s, "i-1", "start", 0).trainer(120s, "i-1", "step", 1);
  log.trainer(130s, "i-1", "step", 2).trainer(130s, "i-1", "checkpoint-begin", 2);
  return log.trainer(134s, "i-1", "checkpoint-durable", 2);
}

Duration worked(const LogBuilder& written, Duration from, Duration to) {
  EventLog log;
  HistoryBuilder builder;
  builder.listen(log.listeners());
  for (const Event& event : written.events()) log.append(event.time, event.kind, event.fields);
  return working_time(*builder.history().instance("i-1"), kLogStart + from, kLogStart + to);
}

TEST(WorkingTime, IsFromTheStartOfTrainingWithoutItsCheckpoints) {
  const LogBuilder log = one_trainer();
  EXPECT_EQ(worked(log, 0s, 100s), 0s);
  EXPECT_EQ(worked(log, 0s, 130s), 30s);
  EXPECT_EQ(worked(log, 110s, 120s), 10s);
  EXPECT_EQ(worked(log, 130s, 134s), 0s);
  EXPECT_EQ(worked(log, 100s, 1000s), 896s) << "it has not ended";
}

TEST(WorkingTime, EndsWithTheTrainerTheUserDataOrTheMachine) {
  for (const char* const end : {"stop", "finished", "diverged", "crash"})
    EXPECT_EQ(worked(one_trainer().trainer(150s, "i-1", end, 2), 100s, 1000s), 46s) << end;
  EXPECT_EQ(worked(one_trainer().exit(150s, "i-1", 1), 100s, 1000s), 46s);
  EXPECT_EQ(worked(one_trainer().reboot(150s, "i-1"), 100s, 1000s), 46s);
  EXPECT_EQ(worked(one_trainer().stopping(150s, "i-1"), 100s, 1000s), 46s);
}

TEST(WorkingTime, ATrainerThatReportsAfterTheUserDataWorksAgain) {
  LogBuilder log = one_trainer();
  log.exit(140s, "i-1", 0).trainer(150s, "i-1", "step", 3);
  EXPECT_EQ(worked(log, 134s, 160s), 16s);
}

TEST(WorkingTime, ACheckpointAfterTheLastStepIsNoWork) {
  LogBuilder log = one_trainer();
  log.trainer(140s, "i-1", "finished", 3).trainer(150s, "i-1", "checkpoint-durable", 3);
  EXPECT_EQ(worked(log, 134s, 1000s), 6s);
}

TEST(WorkingTime, AnEarlierCheckpointDoesNotEndTheStandstillOfTheNext) {
  LogBuilder log = one_trainer();
  log.trainer(140s, "i-1", "checkpoint-begin", 3).trainer(141s, "i-1", "checkpoint-snapshot", 3);
  log.trainer(150s, "i-1", "checkpoint-begin", 4).trainer(151s, "i-1", "checkpoint-durable", 3);
  log.trainer(153s, "i-1", "checkpoint-snapshot", 4);
  EXPECT_EQ(worked(log, 140s, 160s), 20s - 1s - 3s);
}

TEST(WorkingTime, StepsWithoutAStartCountFromTheFirstOne) {
  LogBuilder log;
  log.start().launch(10s, "i-1", "us-west-2b").running(30s, "i-1");
  log.trainer(60s, "i-1", "step", 1).trainer(90s, "i-1", "step", 2);
  EXPECT_EQ(worked(log, 0s, 100s), 40s);
}

}  // namespace
}  // namespace sim::result
