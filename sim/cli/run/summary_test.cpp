#include "sim/cli/run/summary.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace sim::cli {
namespace {

result::Result result() {
  result::Result r;
  r.scenario = "az-hop";
  r.outcome = "completed";
  r.makespan = 2h + 10min;
  const Time start = *parse_time("2019-11-05T10:00:00Z");
  r.attempts = {{.number = 2,
                 .instance_id = "i-1",
                 .instance_type = "p3.2xlarge",
                 .availability_zone = "us-west-2b",
                 .lifecycle = "spot",
                 .launched_at = start + 5min,
                 .notice_at = start + 78min,
                 .end_reason = "interrupted",
                 .steps_done = 812,
                 .steps_kept = 800}};
  r.time.train_kept = 1h;
  r.time.billed = 2h;
  r.money.total = {3'500'000'000};
  r.lost_steps = 12;
  r.savings = 0.625;
  r.expectations = {{"attempts: 2", false, "1"}, {"outcome: completed", true, "completed"}};
  r.invariants = {{"time", true, ""}, {"money", true, ""}, {"nothing is running", false, "1 left"}};
  return r;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Summary, ShowsAttemptsLedgersAndVerdicts) {
  const std::string text = summary(result());
  EXPECT_PRED2(contains, text, "az-hop: completed after 2h10m");
  EXPECT_PRED2(contains, text, "p3.2xlarge/us-west-2b");
  EXPECT_PRED2(contains, text, "11:18:00");
  EXPECT_PRED2(contains, text, "50.0 %");
  EXPECT_PRED2(contains, text, "Lost progress        12 steps");
  EXPECT_PRED2(contains, text, "62.5 %");
  EXPECT_PRED2(contains, text, "FAILS  attempts: 2, found 1");
  EXPECT_PRED2(contains, text, "BROKEN nothing is running: 1 left");
}

TEST(Summary, NamesMissingPermissions) {
  result::Result denied = result();
  denied.missing_permissions = {{.action = "ec2:AttachVolume",
                                 .principal = "arn:aws:sts::123456789012:assumed-role/train/i-1",
                                 .caller = "i-1",
                                 .reason = "implicit",
                                 .resource = "*",
                                 .calls = 2}};
  EXPECT_PRED2(contains, summary(denied),
               "Missing permissions\n  ec2:AttachVolume  "
               "arn:aws:sts::123456789012:assumed-role/train/i-1 (i-1): no policy allows it on *, "
               "2 calls\n");
}

TEST(Summary, BeginsWithMissingActions) {
  result::Result missing = result();
  missing.missing_actions = {{.service = "ssm", .action = "SendCommand", .caller = "operator"}};
  const std::string text = summary(missing);
  const std::string begin =
      "\nMissing AWS actions: these calls returned an error, so the run may show what the script "
      "does without them\n  ssm SendCommand (operator: console/operator.log)\n\naz-hop: completed";
  EXPECT_EQ(text.substr(0, begin.size()), begin);
}

TEST(Summary, OfAnExcusedBreachNamesTheExcuse) {
  result::Result excused = result();
  excused.invariants[2].excused_by = {"running_instances: 1"};
  EXPECT_PRED2(contains, summary(excused),
               "broken, as expected: nothing is running: 1 left (excused by running_instances: 1)");
}

TEST(Summary, OfAFailureShowsTheCauseAndWhySavingsAreUnknown) {
  result::Result failed = result();
  failed.outcome = "failed";
  failed.cause = {.machine = "i-1",
                  .status = 3,
                  .at = *parse_time("2019-11-05T10:07:00Z"),
                  .why = "its user data ended with status 3"};
  EXPECT_PRED2(contains, summary(failed), "62.5 %   (the job is not done)");
  failed.savings.reset();
  failed.savings_unknown = "no trainer reported a step, and the run did not complete";
  const std::string text = summary(failed);
  EXPECT_PRED2(contains, text,
               "\ni-1 at 10:07:00: its user data ended with status 3 (console/i-1.log)");
  EXPECT_PRED2(contains, text, "unknown: no trainer reported a step, and the run did not complete");
}

TEST(Summary, OfAScriptWithoutProgressDoesNotClaimNoLosses) {
  result::Result silent = result();
  silent.time = {.migrate = 1h, .billed = 2h};
  silent.lost_steps = 0;
  silent.attempts.front().steps_done = silent.attempts.front().steps_kept = 0;
  const std::string text = summary(silent);
  EXPECT_PRED2(contains, text, "interrupted       -     -   $0.0000");
  EXPECT_PRED2(contains, text, "Lost progress        unknown: the script reports no progress");
  EXPECT_PRED2(contains, text, "start, step and\n                     finished to $JOB_EVENTS");
  EXPECT_PRED2(contains, text, "50.0 %   (the whole script, which reports no progress)");
  for (const char* words : {"no progress", "(the whole script"})
    EXPECT_FALSE(contains(summary(result()), words)) << words;
  silent.attempts.front().end_reason = "finished";
  EXPECT_PRED2(contains, summary(silent), "Lost progress        0 steps");
}

TEST(Summary, OfHundredsOfAttemptsShowsTheFirstTheLastAndHowManyMore) {
  result::Result many = result();
  many.attempts.resize(300, many.attempts.front());
  for (std::size_t i = 0; i < many.attempts.size(); ++i)
    many.attempts[i].steps_kept = 100'001 + static_cast<std::int64_t>(i);
  const std::string text = summary(many);
  for (const char* kept : {"100001", "100010", "100291", "100300"})
    EXPECT_PRED2(contains, text, kept);
  EXPECT_FALSE(contains(text, "100011") || contains(text, "100290")) << text;
  EXPECT_PRED2(contains, text, "…  280 more");
  many.attempts.resize(20);
  EXPECT_PRED2(contains, summary(many), "100011");
}

TEST(Summary, OfTrainingJobsHasStatusInterruptionsSavingsAndWhyTheyFailed) {
  result::Result jobs = result();
  EXPECT_FALSE(contains(summary(jobs), "Training jobs"));
  jobs.training_jobs = {{.name = "j",
                         .status = "Failed",
                         .secondary_status = "Failed",
                         .failure_reason = "AlgorithmError: no such file",
                         .hosts = 2,
                         .interruptions = 1,
                         .training_seconds = 420,
                         .billable_seconds = 126}};
  EXPECT_PRED2(contains, summary(jobs),
               "  j    Failed      2      1        7m      2m6s   70.0 %\n"
               "    AlgorithmError: no such file\n");
}

TEST(Summary, AColumnIsAsWideAsItsContent) {
  result::Result wide = result();
  wide.attempts[0].instance_type = "p4de.24xlarge";
  wide.attempts[0].availability_zone = "ap-northeast-1a";
  wide.attempts[0].steps_kept = 123456789;
  const std::string text = summary(wide);
  EXPECT_PRED2(contains, text, "p4de.24xlarge/ap-northeast-1a  10:05:00");
  EXPECT_PRED2(contains, text, "interrupted  123456789  ");
}

TEST(Summary, ListsEntriesOfThePlanWithoutEffect) {
  result::Result idle = result();
  EXPECT_FALSE(contains(summary(idle), "without effect"));
  idle.plan = {{.entry = "interruptions[0]", .plan = "{instance: 2, after: 1h}", .strikes = 1},
               {.entry = "faults[0]", .plan = "{at: 1h, kind: power-cut}", .remark = "too late"}};
  const std::string text = summary(idle);
  EXPECT_PRED2(contains, text, "without effect\n  faults[0] {at: 1h, kind: power-cut}: too late\n");
  EXPECT_FALSE(contains(text, "interruptions[0]"));
}

class Files : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const std::string path =
        testing::TempDir() + "/cli-test-" + std::to_string(getpid()) + "-" + name;
    std::ofstream(path) << text;
    return path;
  }
};

TEST_F(Files, FirstDifferenceOfTwoLogs) {
  const auto a = write("a", "1\n2\n3\n"), b = write("b", "1\n4\n3\n"), c = write("c", "1\n2\n");
  EXPECT_FALSE(first_difference(a, a));
  EXPECT_EQ(*first_difference(a, b), "line 2 differs\n  expected 2\n  found    4");
  EXPECT_EQ(*first_difference(a, c), "line 3 differs\n  expected 3\n  found    (the log ends)");
  EXPECT_THROW(first_difference(a, a + ".none"), std::runtime_error);
}

}  // namespace
}  // namespace sim::cli
