// Metrics of instances that stop and start again, hibernate or reboot.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/result/log_builder_for_test.h"
#include "sim/result/result_of_log.h"

namespace sim::result {
namespace {

using namespace std::chrono_literals;

bool time_adds_up(const Result& result) {
  return std::ranges::find(result.invariants, "time-adds-up", &Verdict::id)->holds;
}

// Trains two steps of 10 s, of which a checkpoint has the first one, and is 5 s into the third at
// 45 s.
LogBuilder trained_twice(const std::string& lifecycle = "spot") {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b", lifecycle).running(10s, "i-1").boot(15s, "i-1");
  log.trainer(20s, "i-1", "start", 0).trainer(30s, "i-1", "step", 1);
  log.trainer(30s, "i-1", "checkpoint-written", 1).trainer(40s, "i-1", "step", 2);
  return log;
}

// The instance has stopped from 45 to 600 s, and is billed again from 620 s.
LogBuilder stopped_and_started() {
  LogBuilder log = trained_twice();
  log.stopping(45s, "i-1", "Client.UserInitiatedShutdown").charge(45s, "i-1", 10s, 45s);
  log.exit(45s, "i-1", 143).stopped(75s, "i-1");
  return log.pending(600s, "i-1").running(620s, "i-1");
}

TEST(Restarts, AStoppedInstanceWaitsAndIsNotBilled) {
  LogBuilder log = stopped_and_started();
  log.trainer(650s, "i-1", "start", 1);
  for (int step = 2; step <= 4; ++step) log.trainer(642s + 10s * step, "i-1", "step", step);
  log.trainer(682s, "i-1", "finished", 4).shutting_down(690s, "i-1").exit(690s, "i-1", 0);
  const Result r = result_of(log.charge(690s, "i-1", 620s, 690s).end("completed", 700s).events());
  EXPECT_TRUE(time_adds_up(r));
  EXPECT_EQ(r.time.billed, 35s + 70s);
  EXPECT_EQ(r.time.waiting, 10s + 575s);
  EXPECT_EQ(r.time.boot, 5s + 30s) << "from running again to the trainer's start";
  EXPECT_EQ(r.time.migrate, 5s);
  EXPECT_EQ(r.time.restore, 2s);
  EXPECT_EQ(r.time.train_kept, 10s + 30s);
  EXPECT_EQ(r.time.train_lost, 10s + 5s) << "step 2, and the one under way";
  EXPECT_EQ(r.time.teardown, 8s);
  EXPECT_EQ(r.lost_steps, 1);
  EXPECT_EQ(r.restart_overhead, 652s - 600s) << "from the start to the first step";
  ASSERT_EQ(r.attempts.size(), 1u);
  EXPECT_EQ(r.attempts[0].billed, 105s);
  EXPECT_EQ(r.attempts[0].cost, r.money.instances);
  EXPECT_EQ(r.attempts[0].steps_done, 5);
  EXPECT_EQ(r.attempts[0].steps_kept, 4);
  EXPECT_EQ(r.attempts[0].ended_at, kLogStart + 690s);
  const double a_second = r.money.instances.dollars() / 105;
  EXPECT_NEAR(r.wasted.restart.dollars(), 32 * a_second, 2e-9) << "only of the second boot";
  // 5 s of boot, 5 s of migration, four steps of 10 s, 8 s of teardown.
  EXPECT_EQ(r.baseline_cost.value_or(Usd{}).nano, market::charge({3'060'000'000}, 58s).nano);
}

TEST(Restarts, ATrainerWithoutAStartLineBeginsAgainAfterAStop) {
  LogBuilder log = stopped_and_started();
  for (int step = 1; step <= 3; ++step) log.trainer(640s + 10s * step, "i-1", "step", step);
  log.shutting_down(670s, "i-1").charge(670s, "i-1", 620s, 670s);
  const Result r = result_of(log.end("completed", 700s).events());
  EXPECT_TRUE(time_adds_up(r));
  EXPECT_EQ(r.time.boot, 5s + 20s) << "the first step is training";
  EXPECT_EQ(r.lost_steps, 2) << "which it did again";
  EXPECT_EQ(r.time.train_lost, 25s);
  EXPECT_EQ(r.time.train_kept, 30s);
}

TEST(Restarts, AnInstanceThatStartsWithoutATrainerIsIdle) {
  const Result r = result_of(
      stopped_and_started().charge(900s, "i-1", 620s, 900s).end("deadline", 900s).events());
  EXPECT_TRUE(time_adds_up(r));
  EXPECT_EQ(r.time.idle, 280s);
  EXPECT_EQ(r.attempts.at(0).end_reason, "running");
  EXPECT_FALSE(r.attempts.at(0).ended_at);
}

TEST(Restarts, AnInstanceThatStopsOrStartsAtTheEndIsNotBilled) {
  LogBuilder stopped = trained_twice(), pending = trained_twice();
  for (LogBuilder* log : {&stopped, &pending})
    log->stopping(45s, "i-1").charge(45s, "i-1", 10s, 45s).stopped(75s, "i-1");
  const Result still = result_of(stopped.end("failed", 100s).events());
  EXPECT_TRUE(time_adds_up(still));
  EXPECT_EQ(still.attempts.at(0).end_reason, "stopped");
  EXPECT_EQ(still.attempts.at(0).ended_at, kLogStart + 45s);
  EXPECT_EQ(still.time.waiting, 10s + 55s);
  const Result starts = result_of(pending.pending(90s, "i-1").end("deadline", 100s).events());
  EXPECT_TRUE(time_adds_up(starts));
  EXPECT_EQ(starts.attempts.at(0).end_reason, "running");
  EXPECT_FALSE(starts.attempts.at(0).ended_at);
  EXPECT_EQ(starts.time.waiting, 10s + 55s);
}

TEST(Restarts, AStepThatHibernatesIsNotLost) {
  LogBuilder log = trained_twice();
  log.stopping(45s, "i-1", "Client.UserInitiatedHibernate").charge(75s, "i-1", 10s, 75s);
  log.stopped(75s, "i-1").pending(600s, "i-1").running(620s, "i-1");
  log.trainer(655s, "i-1", "step", 3).trainer(665s, "i-1", "step", 4);
  log.trainer(665s, "i-1", "finished", 4).shutting_down(670s, "i-1");
  const Result r = result_of(log.charge(670s, "i-1", 620s, 670s).end("completed", 700s).events());
  EXPECT_TRUE(time_adds_up(r));
  EXPECT_EQ(r.time.notice_idle, 30s) << "while it saves its memory";
  EXPECT_EQ(r.time.boot, 5s + 30s) << "5 s of the third step were left";
  EXPECT_EQ(r.time.train_kept, 40s);
  EXPECT_EQ(r.time.train_lost, 0s);
  EXPECT_EQ(r.lost_steps, 0);
  EXPECT_EQ(r.restart_overhead, 650s - 600s);
}

TEST(Restarts, AHibernatedInstanceThatIsTerminatedLosesItsStep) {
  LogBuilder log = trained_twice();
  log.stopping(45s, "i-1").charge(75s, "i-1", 10s, 75s).stopped(75s, "i-1");
  const Result r = result_of(log.terminated(90s, "i-1").end("failed", 90s).events());
  EXPECT_TRUE(time_adds_up(r));
  EXPECT_EQ(r.time.train_lost, 10s + 5s) << "no checkpoint has step 2";
  EXPECT_EQ(r.attempts.at(0).end_reason, "terminated");
}

TEST(Restarts, ARebootIsABoot) {
  LogBuilder log = trained_twice();
  log.reboot(45s, "i-1").exit(45s, "i-1", 143).trainer(46s, "i-1", "stop", 2);
  log.trainer(80s, "i-1", "start", 2).trainer(90s, "i-1", "step", 3);
  log.trainer(90s, "i-1", "finished", 3).shutting_down(95s, "i-1");
  const Result r = result_of(log.charge(95s, "i-1", 10s, 95s).end("completed", 99s).events());
  EXPECT_TRUE(time_adds_up(r));
  EXPECT_EQ(r.time.boot, 5s + 35s);
  EXPECT_EQ(r.time.train_lost, 5s);
  EXPECT_EQ(r.time.train_kept, 30s);
  EXPECT_EQ(r.time.waiting, 10s);
  EXPECT_EQ(r.restart_overhead, 35s);
}

TEST(Restarts, AnInterruptionThatStopsIsTheEndOnlyUntilTheInstanceStarts) {
  LogBuilder log = trained_twice();
  log.notice(45s, "i-1").stopping(165s, "i-1", "Server.SpotInstanceShutdown");
  log.charge(165s, "i-1", 10s, 165s).exit(165s, "i-1", 143).stopped(195s, "i-1");
  LogBuilder ends = log;
  const Result stopped = result_of(ends.end("failed", 300s).events());
  EXPECT_EQ(stopped.attempts.at(0).end_reason, "interrupted");
  EXPECT_EQ(stopped.time.notice_idle, 120s) << "the user data ended with the instance";
  log.pending(600s, "i-1").running(620s, "i-1").trainer(650s, "i-1", "start", 1);
  log.trainer(660s, "i-1", "step", 2).charge(690s, "i-1", 620s, 690s).end("deadline", 690s);
  const Result r = result_of(log.events());
  EXPECT_TRUE(time_adds_up(r));
  EXPECT_EQ(r.attempts.at(0).end_reason, "running");
  EXPECT_EQ(r.attempts.at(0).notice_at, kLogStart + 45s);
  EXPECT_EQ(r.time.notice_idle, 120s) << "no notice is left after the start";
}

TEST(Restarts, AnInstanceThatWasStoppedForLongIsNotIdle) {
  LogBuilder log = trained_twice("on-demand");
  log.stopping(45s, "i-1").charge(45s, "i-1", 10s, 45s).exit(45s, "i-1", 143);
  log.stopped(75s, "i-1").pending(3600s, "i-1").running(3620s, "i-1");
  log.charge(3700s, "i-1", 3620s, 3700s).end("deadline", 3700s);
  const Result r = result_of(log.events());
  EXPECT_TRUE(std::ranges::find(r.invariants, "nothing-idle", &Verdict::id)->holds);
}

}  // namespace
}  // namespace sim::result
