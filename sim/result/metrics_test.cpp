#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "sim/result/expectations.h"
#include "sim/result/log_builder_for_test.h"
#include "sim/result/result_of_log.h"

namespace sim::result {
namespace {

using namespace std::chrono_literals;

const Verdict& verdict(const Result& result, const std::string& part) {
  for (const Verdict& v : result.invariants) {
    if (v.what.find(part) != std::string::npos) return v;
  }
  throw std::runtime_error("no invariant " + part);
}

bool ledgers_add_up(const Result& result) {
  return verdict(result, "every billed second").holds && verdict(result, "money ledger").holds;
}

TEST(Metrics, AResultSaysThatCpuUseIsAModelWhereAScriptAsksForIt) {
  const auto assumptions = [](const char* metric) {
    LogBuilder log = interrupted_once();
    log.add(500s, "api.call",
            {{"service", "monitoring"}, {"result", "ok"}, {"request", {{"MetricName", metric}}}});
    return result_of(log.events()).assumptions.size();
  };
  EXPECT_EQ(assumptions("CPUUtilization"), assumptions("StatusCheckFailed") + 1);
}

TEST(Metrics, EveryBilledSecondIsInOneColumn) {
  const Result r = result_of(interrupted_once().events());
  EXPECT_EQ(r.time.boot, 40s + 40s);
  EXPECT_EQ(r.time.migrate, 30s + 30s);
  EXPECT_EQ(r.time.restore, 10s + 5s) << "the first step's own 10 s are training";
  EXPECT_EQ(r.time.checkpoint, 4s);
  EXPECT_EQ(r.time.train_kept, 20s + 40s + 5s) << "the last 5 s end with the job";
  EXPECT_EQ(r.time.train_lost, 30s + 2s) << "three steps and the one under way";
  EXPECT_EQ(r.time.notice_idle, 109s);
  EXPECT_EQ(r.time.teardown, 10s);
  EXPECT_EQ(r.time.prepare, 0s);
  EXPECT_EQ(r.time.billed, 245s + 130s);
  EXPECT_EQ(r.time.sum(), r.time.billed);
  EXPECT_TRUE(ledgers_add_up(r));
}

TEST(Metrics, LostProgressIsWhatTheNextAttemptDoesAgain) {
  const Result r = result_of(interrupted_once().events());
  EXPECT_EQ(r.lost_steps, 3);
  EXPECT_EQ(r.lost_time, 32s);
  ASSERT_EQ(r.attempts.size(), 2u);
  EXPECT_EQ(r.attempts[0].steps_done, 5);
  EXPECT_EQ(r.attempts[0].steps_kept, 2);
  EXPECT_EQ(r.attempts[0].end_reason, "interrupted");
  EXPECT_EQ(r.attempts[0].first_step_at, kLogStart + 110s);
  EXPECT_EQ(r.attempts[0].notice_at, kLogStart + 155s);
  EXPECT_EQ(r.attempts[1].steps_kept, 4);
  EXPECT_EQ(r.attempts[1].end_reason, "finished");
}

TEST(Metrics, OverheadsAndWaiting) {
  const Result r = result_of(interrupted_once().events());
  EXPECT_EQ(r.checkpoint_overhead, 4s);
  EXPECT_EQ(r.restart_overhead, 405s - 310s) << "launch to the first step's beginning";
  EXPECT_EQ(r.time.waiting, 20s + 55s) << "before the first and between the two";
  EXPECT_EQ(r.makespan, 500s);
}

// Each part is within a nano-dollar or two, because each is rounded.
TEST(Metrics, WastedMoneyIsWhatIsPaidWhileNoKeptStepIsTrained) {
  const Result r = result_of(interrupted_once().events());
  const double first = r.attempts[0].cost.dollars() / 245,
               then = r.attempts[1].cost.dollars() / 130;
  ASSERT_GT(first, 0);
  EXPECT_NEAR(r.wasted.lost.dollars(), 32 * first, 2e-9);
  EXPECT_NEAR(r.wasted.checkpoint.dollars(), 4 * first, 2e-9);
  EXPECT_NEAR(r.wasted.restart.dollars(), (40 + 30 + 5) * then, 2e-9) << "not the first's boot";
  EXPECT_NEAR(r.wasted.all.dollars(), (245 - 20) * first + (130 - 45) * then, 2e-9);
}

// The work of interrupted_once() is done 450 s after its start.
TEST(Metrics, LatenessIsCountedFromTheDeadlineOn) {
  const auto lateness = [](double deadline_seconds, const LogBuilder& log) {
    std::vector<Event> events = log.events();
    if (deadline_seconds > 0) events[0].fields["deadline_seconds"] = deadline_seconds;
    return result_of(events).lateness;
  };
  EXPECT_EQ(lateness(420, interrupted_once()), 30s);
  EXPECT_EQ(lateness(450, interrupted_once()), 0s);
  EXPECT_FALSE(lateness(0, interrupted_once())) << "there is no deadline";
  LogBuilder undone;
  undone.start().launch(10s, "i-1", "us-west-2a").running(30s, "i-1").end("deadline", 900s);
  EXPECT_FALSE(lateness(420, undone));
}

TEST(Metrics, APreparingInstanceIsWastedAsAWhole) {
  LogBuilder log;
  log.start().launch(5s, "i-p", "us-west-2b", "on-demand").running(20s, "i-p").boot(50s, "i-p");
  log.shutting_down(90s, "i-p").charge(90s, "i-p", 20s, 90s).terminated(100s, "i-p");
  log.end("failed", 100s);
  const Result r = result_of(log.events());
  EXPECT_GT(r.money.instances.nano, 0);
  EXPECT_EQ(r.wasted.all, r.money.instances);
  EXPECT_EQ(r.wasted.restart.nano, 0);
}

TEST(Metrics, SavingsReferToTheSameJobOnDemandUninterrupted) {
  const Result r = result_of(interrupted_once().events());
  // 40 + 30 + 10 s to begin, 104 steps of 10 s, a 4 s checkpoint, 10 s of teardown, at $3.06 an
  // hour.
  ASSERT_TRUE(r.baseline_cost);
  EXPECT_EQ(r.baseline_cost->nano, market::charge({3'060'000'000}, 1134s).nano);
  EXPECT_EQ(r.baseline_without_checkpoints->nano, market::charge({3'060'000'000}, 1130s).nano);
  EXPECT_DOUBLE_EQ(*r.savings, 1 - r.money.total.dollars() / r.baseline_cost->dollars());
}

// Two hosts of a training job, of which only the first one prints.
std::vector<Event> gang() {
  LogBuilder log;
  log.start();
  for (const char* const id : {"i-1", "i-2"}) log.launch(10s, id, "us-west-2b");
  for (const char* const id : {"i-1", "i-2"}) log.running(30s, id).boot(40s, id);
  log.trainer(60s, "i-1", "start", 0);
  for (int step = 1; step <= 4; ++step) log.trainer(60s + 10s * step, "i-1", "step", step);
  log.trainer(100s, "i-1", "finished", 4);
  for (const char* const id : {"i-1", "i-2"})
    log.shutting_down(130s, id).charge(130s, id, 30s, 130s).terminated(150s, id);
  log.add(140s, "sagemaker.end",
          {{"job", "j"},
           {"status", "Completed"},
           {"secondary_status", "Completed"},
           {"hosts", 2},
           {"interruptions", 0},
           {"training_seconds", 100.2},
           {"billable_seconds", 29.8}});
  std::vector<Event> events = log.end("completed", 150s).events();
  for (Event& event : events)
    if (event.kind == "instance.state") event.fields["managed_by"] = "sagemaker";
  return events;
}

TEST(Metrics, AGangThatWasNotInterruptedHasNoRestartAndTrainsOnAllHosts) {
  const Result r = result_of(gang());
  EXPECT_EQ(r.restart_overhead, Duration{});
  EXPECT_EQ(r.time.migrate, 2 * 20s);
  EXPECT_EQ(r.time.train_kept, 2 * 40s);
  EXPECT_EQ(r.attempts.at(0).steps_kept, 4);
  EXPECT_EQ(r.attempts.at(1).steps_done, 0) << "steps are counted once";
  EXPECT_EQ(r.attempts.at(0).first_step_at, r.attempts.at(1).first_step_at);
}

TEST(Metrics, SavingsOfTrainingJobsAreSageMakersOwn) {
  const Result r = result_of(gang());
  ASSERT_TRUE(r.savings);
  EXPECT_DOUBLE_EQ(*r.savings, 0.7);
  EXPECT_EQ(r.savings, r.training_jobs.at(0).savings());
  EXPECT_NEAR(r.baseline_cost->dollars(), r.money.instances.dollars() / 0.3, 1e-6);
  std::vector<Event> other = gang();
  other.front().fields["baseline_instances"] = 3;
  const Result three = result_of(other);
  // Boot, migrate, restore, four steps of 10 s and teardown, 100 s of three instances at $3.06.
  EXPECT_NEAR(three.baseline_cost->dollars(), 3 * 3.06 * 100 / 3600, 1e-3);
}

TEST(Metrics, PreparingInstanceIsNoAttempt) {
  LogBuilder log;
  log.start().launch(5s, "i-p", "us-west-2b", "on-demand").running(20s, "i-p").boot(50s, "i-p");
  log.shutting_down(90s, "i-p").charge(90s, "i-p", 20s, 90s).terminated(100s, "i-p");
  log.end("failed", 100s);
  const Result r = result_of(log.events());
  EXPECT_TRUE(r.attempts.empty());
  EXPECT_EQ(r.time.prepare, 70s);
  EXPECT_EQ(r.time.sum(), r.time.billed);
  EXPECT_FALSE(r.savings);
}

TEST(Metrics, ScriptsOfOthersNeedNoTrainerLines) {
  LogBuilder log;
  log.start().launch(10s, "i-1", "us-west-2a").running(30s, "i-1").boot(60s, "i-1");
  log.shutting_down(200s, "i-1").charge(200s, "i-1", 30s, 200s).terminated(230s, "i-1");
  log.end("completed", 230s);
  const Result r = result_of(log.events());
  ASSERT_EQ(r.attempts.size(), 1u);
  EXPECT_EQ(r.time.migrate, 140s);
  EXPECT_EQ(r.steps_total, 0);
  EXPECT_FALSE(r.baseline_cost);
  EXPECT_TRUE(ledgers_add_up(r));
}

// Steps without `start`, `finished` or checkpoints: two of them, and all again on the next
// instance.
LogBuilder steps_alone() {
  LogBuilder log;
  log.start().launch(10s, "i-1", "us-west-2b").running(30s, "i-1").boot(70s, "i-1");
  log.trainer(110s, "i-1", "step", 1).trainer(120s, "i-1", "step", 2);
  log.shutting_down(125s, "i-1").charge(125s, "i-1", 30s, 125s).terminated(130s, "i-1");
  log.launch(310s, "i-2", "us-west-2a").running(330s, "i-2").boot(370s, "i-2");
  for (int step = 1; step <= 3; ++step) log.trainer(400s + 10s * step, "i-2", "step", step);
  log.shutting_down(460s, "i-2").charge(460s, "i-2", 330s, 460s).terminated(490s, "i-2");
  return log;
}

TEST(Metrics, ACompletedRunKeepsTheLastStepsWithoutFurtherLines) {
  const Result r = result_of(steps_alone().end("completed", 500s).events());
  ASSERT_EQ(r.attempts.size(), 2u);
  EXPECT_EQ(r.attempts[0].steps_kept, 0) << "the second did them again";
  EXPECT_EQ(r.attempts[1].steps_kept, 3);
  EXPECT_EQ(r.lost_steps, 2);
  EXPECT_TRUE(ledgers_add_up(r));
  EXPECT_TRUE(reports_progress(r));
}

TEST(Metrics, AnUnfinishedRunKeepsNoStepsWithoutACheckpoint) {
  const Result r = result_of(steps_alone().end("deadline", 500s).events());
  EXPECT_EQ(r.lost_steps, 5);
  EXPECT_TRUE(ledgers_add_up(r));
}

TEST(Metrics, HardKillDuringACheckpointCountsItAsStall) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").boot(20s, "i-1");
  log.trainer(20s, "i-1", "start", 0).trainer(30s, "i-1", "step", 1).trainer(40s, "i-1", "step", 2);
  log.trainer(40s, "i-1", "checkpoint-begin", 2).terminated(45s, "i-1");
  log.charge(45s, "i-1", 10s, 45s).end("failed", 45s);
  const Result r = result_of(log.events());
  EXPECT_EQ(r.time.checkpoint, 5s);
  EXPECT_EQ(r.time.train_lost, 20s) << "nothing was durable";
  EXPECT_EQ(r.lost_steps, 2);
  EXPECT_TRUE(ledgers_add_up(r));
}

TEST(Metrics, FailedCheckpointEndsItsStallAndCoversNothing) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").boot(20s, "i-1");
  log.trainer(20s, "i-1", "start", 0).trainer(30s, "i-1", "step", 1).trainer(40s, "i-1", "step", 2);
  log.trainer(40s, "i-1", "checkpoint-begin", 2).trainer(43s, "i-1", "checkpoint-failed", 2);
  log.trainer(53s, "i-1", "step", 3).terminated(53s, "i-1");
  log.charge(53s, "i-1", 10s, 53s).end("failed", 53s);
  const Result r = result_of(log.events());
  EXPECT_EQ(r.time.checkpoint, 3s) << "the third step is training again";
  EXPECT_EQ(r.time.train_lost, 30s);
  EXPECT_EQ(r.lost_steps, 3) << "nothing was durable";
}

TEST(Metrics, ACheckpointWrittenWhileTrainingGoesOnStallsUntilItsSnapshot) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").boot(20s, "i-1");
  log.trainer(20s, "i-1", "start", 0).trainer(30s, "i-1", "step", 1).trainer(40s, "i-1", "step", 2);
  log.trainer(40s, "i-1", "checkpoint-begin", 2).trainer(41s, "i-1", "checkpoint-snapshot", 2);
  log.trainer(51s, "i-1", "step", 3).trainer(51s, "i-1", "checkpoint-begin", 3);
  log.trainer(53s, "i-1", "checkpoint-durable", 2).trainer(54s, "i-1", "checkpoint-snapshot", 3);
  log.trainer(64s, "i-1", "step", 4).trainer(64s, "i-1", "checkpoint-failed", 3);
  log.terminated(64s, "i-1").charge(64s, "i-1", 10s, 64s).end("failed", 64s);
  const Result r = result_of(log.events());
  EXPECT_EQ(r.time.checkpoint, 1s + 3s) << "the second waits for the first, and is copied";
  EXPECT_EQ(r.time.train_kept, 20s);
  EXPECT_EQ(r.time.train_lost, 20s) << "steps 3 and 4";
  EXPECT_EQ(r.lost_steps, 2);
  EXPECT_TRUE(ledgers_add_up(r));
}

TEST(Metrics, OneStepCutShortDoesNotMoveTheFirstStepsBeginning) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").boot(20s, "i-1");
  log.trainer(25s, "i-1", "start", 0).trainer(35s, "i-1", "step", 1).trainer(45s, "i-1", "step", 2);
  log.trainer(55s, "i-1", "step", 3).notice(56s, "i-1").trainer(56s, "i-1", "step", 4);
  log.trainer(56s, "i-1", "stop", 4).end("deadline", 60s);
  const Result r = result_of(log.events());
  EXPECT_EQ(r.attempts.at(0).first_step_at, kLogStart + 25s) << "a step takes 10 s, not 1 s";
  EXPECT_EQ(r.time.restore, 0s);
}

TEST(Metrics, ACheckpointAfterEachStepLeavesTheStepTimeKnown) {
  LogBuilder log;
  log.add({}, "run.start", {{"scenario", "bare"}});  // which states no step time
  log.launch(0s, "i-1", "us-west-2b").running(10s, "i-1").boot(20s, "i-1");
  log.trainer(22s, "i-1", "start", 0);
  for (int step = 1; step <= 3; ++step)
    log.trainer(20s + 12s * step, "i-1", "step", step)
        .trainer(22s + 12s * step, "i-1", "checkpoint-written", step);
  log.shutting_down(58s, "i-1").charge(58s, "i-1", 10s, 58s).end("completed", 60s);
  const Result r = result_of(log.events());
  EXPECT_EQ(r.attempts.at(0).first_step_at, kLogStart + 22s);
  EXPECT_EQ(r.time.restore, 0s);
  EXPECT_TRUE(ledgers_add_up(r));
}

TEST(Metrics, ALineForTenStepsCountsTen) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").boot(20s, "i-1");
  log.trainer(25s, "i-1", "start", 0).trainer(125s, "i-1", "step", 10);
  log.trainer(225s, "i-1", "step", 20).trainer(226s, "i-1", "checkpoint-durable", 15);
  log.trainer(230s, "i-1", "stop", 20).terminated(231s, "i-1").charge(231s, "i-1", 10s, 231s);
  const Result r = result_of(log.end("failed", 231s).events());
  EXPECT_EQ(r.attempts.at(0).steps_done, 20);
  EXPECT_EQ(r.attempts.at(0).steps_kept, 15);
  EXPECT_EQ(r.attempts.at(0).first_step_at, kLogStart + 25s);
  EXPECT_EQ(r.time.train_kept, 150s);
  EXPECT_TRUE(ledgers_add_up(r));
}

TEST(Metrics, AStepBelowZeroIsTheBeginning) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").boot(20s, "i-1");
  log.trainer(25s, "i-1", "step", std::numeric_limits<std::int64_t>::min());
  log.trainer(35s, "i-1", "step", 1).terminated(40s, "i-1").charge(40s, "i-1", 10s, 40s);
  const Result r = result_of(log.end("failed", 40s).events());
  EXPECT_EQ(r.attempts.at(0).steps_done, 2);
  EXPECT_TRUE(ledgers_add_up(r));
}

TEST(Metrics, AnInstanceWhoseTrainerHasDiedIsIdle) {
  LogBuilder died, service, untrained;
  for (LogBuilder* log : {&died, &service, &untrained})
    log->start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").boot(20s, "i-1");
  const auto exit = [](LogBuilder& log, Duration at, int status) -> LogBuilder& {
    return log.add(at, "guest.exit", {{"machine", "i-1"}, {"status", status}});
  };
  for (LogBuilder* log : {&died, &service})
    for (int step = 0; step <= 3; ++step)
      log->trainer(20s + 10s * step, "i-1", step ? "step" : "start", step);
  exit(died, 55s, 1).charge(900s, "i-1", 10s, 900s).end("failed", 900s);
  const Result r = result_of(died.events());
  EXPECT_EQ(r.time.train_lost, 35s) << "and 5 s of the step under way";
  EXPECT_EQ(r.time.idle, 845s);
  EXPECT_TRUE(ledgers_add_up(r));
  exit(service, 51s, 0).trainer(60s, "i-1", "step", 4);
  const Result goes_on =
      result_of(service.charge(900s, "i-1", 10s, 900s).end("deadline", 900s).events());
  EXPECT_EQ(goes_on.time.idle, 0s) << "it trains behind the user data";
  exit(untrained, 51s, 127).charge(900s, "i-1", 10s, 900s).end("failed", 900s);
  EXPECT_EQ(result_of(untrained.events()).time.migrate, 31s);
  EXPECT_EQ(result_of(untrained.events()).time.idle, 849s);
}

TEST(Metrics, StepsBeforeTheFirstLineOfALogAreTraining) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").boot(20s, "i-1");
  log.trainer(150s, "i-1", "start", 0).trainer(150s, "i-1", "step", 10);
  log.trainer(250s, "i-1", "step", 20).trainer(250s, "i-1", "finished", 20);
  log.shutting_down(251s, "i-1").charge(251s, "i-1", 10s, 251s).end("completed", 260s);
  const Result r = result_of(log.events());
  EXPECT_EQ(r.time.migrate, 30s);
  EXPECT_EQ(r.time.train_kept, 200s);
  EXPECT_EQ(r.attempts.at(0).first_step_at, kLogStart + 50s);
  EXPECT_TRUE(ledgers_add_up(r));
}

TEST(Metrics, AWaitForTheEndOfANoticeNeedsNoStopReport) {
  LogBuilder waits, trains;
  for (LogBuilder* log : {&waits, &trains}) {
    log->start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").boot(20s, "i-1");
    log->trainer(20s, "i-1", "start", 0).trainer(30s, "i-1", "step", 1);
    log->trainer(40s, "i-1", "step", 2).notice(45s, "i-1");
  }
  waits.trainer(50s, "i-1", "step", 3).trainer(52s, "i-1", "checkpoint-written", 3);
  waits.shutting_down(165s, "i-1").charge(165s, "i-1", 10s, 165s).end("failed", 170s);
  const Result waited = result_of(waits.events());
  EXPECT_EQ(waited.time.notice_idle, 113s);
  EXPECT_EQ(waited.time.train_lost, 2s) << "which it wrote a checkpoint in";
  EXPECT_TRUE(ledgers_add_up(waited));
  for (int step = 3; step <= 14; ++step) trains.trainer(20s + 10s * step, "i-1", "step", step);
  trains.shutting_down(165s, "i-1").charge(165s, "i-1", 10s, 165s).end("failed", 170s);
  EXPECT_EQ(result_of(trains.events()).time.notice_idle, 0s) << "it trained to the end";
}

TEST(Metrics, OfAStateThatIsGoneNoStepIsKept) {
  LogBuilder log = interrupted_once();
  std::vector<Event> events = log.events();
  events.back().fields = {{"outcome", "failed"}, {"evidence", {{"kept", false}, {"step", 104}}}};
  const Result r = result_of(events);
  EXPECT_EQ(r.evidence.kept, false);
  EXPECT_EQ(r.attempts.at(1).steps_kept, 0);
  EXPECT_EQ(r.lost_steps, 9);
}

TEST(Metrics, ATerminationDuringTheNoticeEndsTheAttempt) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").notice(20s, "i-1");
  log.shutting_down(30s, "i-1", "Client.UserInitiatedShutdown").terminated(60s, "i-1");
  log.launch(70s, "i-2", "us-west-2b").running(80s, "i-2").notice(90s, "i-2");
  log.shutting_down(210s, "i-2", "Server.SpotInstanceTermination").terminated(240s, "i-2");
  log.end("failed", 240s);
  const Result r = result_of(log.events());
  EXPECT_EQ(r.attempts.at(0).end_reason, "terminated") << "and is charged for, unlike the other";
  EXPECT_EQ(r.attempts.at(1).end_reason, "interrupted");
}

TEST(Metrics, CauseIsThatOfTheLogsEnd) {
  const Cause cause{.machine = "i-1", .status = 2, .at = kLogStart + 5s, .why = "it ended"};
  LogBuilder log;
  log.start().add(9s, "run.end", {{"outcome", "failed"}, {"cause", to_json(cause)}});
  EXPECT_EQ(result_of(log.events()).cause, cause);
  EXPECT_FALSE(result_of(interrupted_once().events()).cause);
}

TEST(Metrics, ReportsWhySavingsAreUnknown) {
  LogBuilder untrained, unstated;
  untrained.start().end("failed", 10s);
  EXPECT_EQ(result_of(untrained.events()).savings_unknown,
            "no trainer reported a step, and the run did not complete");
  unstated.add({}, "run.start", {{"scenario", "bare"}}).end("completed", 10s);
  EXPECT_EQ(result_of(unstated.events()).savings_unknown, "the scenario states no baseline");
  EXPECT_EQ(result_of(interrupted_once().events()).savings_unknown, "");
}

TEST(Expectations, ARunThatFailsIsAsExpectedOnlyWhereThatIsStated) {
  Result failed;
  failed.outcome = "failed";
  const auto holds = [&](const std::vector<Expectation>& stated) {
    failed.expectations = judge(stated, failed);
    return as_expected(failed);
  };
  EXPECT_FALSE(holds({}));
  EXPECT_TRUE(holds({{"outcome", "outcome: failed", std::vector<std::string>{"failed"}}}));
  EXPECT_FALSE(holds({{"outcome", "outcome: completed", std::vector<std::string>{"completed"}}}));
  EXPECT_EQ(failed.expectations.size(), 1u) << "what is stated is not said twice";
  failed.outcome = "deadline";
  EXPECT_TRUE(holds({}));
}

TEST(Metrics, AbsurdNumberOfStepsGivesNoBaseline) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").boot(20s, "i-1");
  log.add(25s, "trainer.start",
          {{"instance_id", "i-1"}, {"step", 0}, {"total_steps", std::int64_t{1} << 62}});
  log.trainer(35s, "i-1", "step", 1).end("deadline", 60s);
  EXPECT_FALSE(result_of(log.events()).baseline_cost);
}

TEST(Invariants, ProgressBelowADurableCheckpointIsFound) {
  LogBuilder log = interrupted_once();
  EXPECT_TRUE(verdict(result_of(log.events()), "progress never falls").holds);
  LogBuilder bad;
  bad.start().launch(0s, "i-1", "us-west-2b").running(1s, "i-1").boot(2s, "i-1");
  bad.trainer(3s, "i-1", "start", 0).trainer(4s, "i-1", "checkpoint-begin", 50);
  bad.trainer(5s, "i-1", "checkpoint-durable", 50).trainer(6s, "i-1", "start", 0);
  bad.end("failed", 7s);
  const Result result = result_of(bad.events());
  EXPECT_FALSE(verdict(result, "progress never falls").holds);
  EXPECT_NE(verdict(result, "progress never falls").found.find("but 50 was durable"),
            std::string::npos);
}

TEST(Invariants, ChargeThatDoesNotMatchTheTimeIsFound) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").shutting_down(100s, "i-1");
  log.charge(100s, "i-1", 10s, 99s).terminated(110s, "i-1").end("failed", 110s);
  EXPECT_FALSE(ledgers_add_up(result_of(log.events())));
}

TEST(Invariants, WhatIsLeftRunningIsFound) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").end("deadline", 100s);
  const Result r = result_of(log.events());
  EXPECT_EQ(r.at_end.running_instances, 1);
  EXPECT_FALSE(verdict(r, "nothing is running").holds);
}

TEST(Invariants, AnAutoScalingGroupThatWantsInstancesIsFoundAndNamed) {
  LogBuilder log;
  const auto group = [&](Duration at, const char* name, const char* what, int desired) {
    log.add(at, "autoscaling.group",
            {{"group", name}, {"what", what}, {"min", 0}, {"max", 1}, {"desired", desired}});
  };
  log.start();
  group(1s, "kept", "created", 1);
  group(1s, "gone", "created", 1);
  group(9s, "gone", "deleting", 0);
  const Result r = result_of(log.end("deadline", 100s).events());
  EXPECT_EQ(r.at_end.active_fleets, 1);
  EXPECT_NE(verdict(r, "nothing is running").found.find("Auto Scaling group kept wants 1"),
            std::string::npos);
}

TEST(Invariants, OneLiveTaggedVolume) {
  LogBuilder log;
  log.start();
  log.volume(1s, "vol-1", "", "creating")
      .tag(1s, "vol-1", "job")
      .volume(5s, "vol-1", "creating", "available");
  log.volume(6s, "vol-2", "", "creating").tag(6s, "vol-2", "job");
  log.volume(9s, "vol-1", "available", "deleting");
  LogBuilder both = log;
  EXPECT_EQ(result_of(log.end("failed", 10s).events()).at_end.tagged_volumes, 1);
  both.volume(9s, "vol-3", "", "creating").tag(9s, "vol-3", "job").end("failed", 10s);
  EXPECT_FALSE(verdict(result_of(both.events()), "exactly one volume has the tag").holds);
}

TEST(Metrics, LogWithoutABeginningIsRefused) {
  EXPECT_THROW(result_of(std::vector<Event>{}), std::runtime_error);
}

TEST(Metrics, FileGivesTheSameResultAsTheEvents) {
  const LogBuilder log = interrupted_once();
  const std::string file = testing::TempDir() + "/metrics-events.jsonl";
  std::ofstream out(file);
  for (const Event& event : log.events()) out << to_line(event) << '\n';
  out.close();
  EXPECT_EQ(to_json(result_of(file)), to_json(result_of(log.events())));
}

}  // namespace
}  // namespace sim::result
