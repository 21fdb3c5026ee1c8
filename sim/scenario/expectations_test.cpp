#include "sim/result/expectations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/result/log_builder_for_test.h"
#include "sim/result/result_of_log.h"
#include "sim/scenario/blocks.h"
#include "sim/scenario/scenario_file_for_test.h"

namespace sim::scenario {
namespace {

std::vector<result::Verdict> judged(const std::string& yaml, const result::Result& result) {
  Errors errors("x.yaml");
  const auto expectations = read_expectations(Value(errors, YAML::Load(yaml), "expect"));
  EXPECT_TRUE(errors.empty()) << errors.messages().front();
  return result::judge(expectations, result);
}

// Judges a result by this `expect` block.
void expect(result::Result& result, const std::string& yaml) {
  Errors errors("x.yaml");
  const auto stated = read_expectations(Value(errors, YAML::Load(yaml), "expect"));
  EXPECT_TRUE(errors.empty()) << errors.messages().front();
  result.expectations = result::judge(stated, result);
  result::excuse(stated, result);
}

std::string excuses(const result::Result& result, const std::string& id) {
  const auto at = std::ranges::find(result.invariants, id, &result::Verdict::id);
  return at == result.invariants.end() ? "none of this name"
                                       : fmt::format("{}", fmt::join(at->excused_by, ", "));
}

// A resume that ignores an existing checkpoint.
result::Result began_at_zero() {
  result::LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(1s, "i-1").boot(2s, "i-1");
  log.volume(2s, "vol-1", "", "creating").tag(2s, "vol-1", "job");
  log.volume(2s, "vol-1", "creating", "available");
  log.trainer(3s, "i-1", "start", 0).trainer(4s, "i-1", "checkpoint-begin", 50);
  log.trainer(5s, "i-1", "checkpoint-durable", 50).trainer(6s, "i-1", "start", 0);
  log.shutting_down(7s, "i-1").charge(7s, "i-1", 1s, 7s).terminated(8s, "i-1");
  return result::result_of(log.end("completed", 9s).events());
}

TEST(Expectations, AllowedLostStepsDoNotExcuseAResumeThatIgnoresACheckpoint) {
  for (const char* stated : {"{lost_steps: {max: 160}}", "{lost_steps: {min: 0}}",
                             "{lost_time: {max: 1h}}", "{outcome: completed}"}) {
    result::Result r = began_at_zero();
    expect(r, stated);
    EXPECT_FALSE(result::as_expected(r)) << stated;
    EXPECT_EQ(excuses(r, "progress-kept"), "") << stated;
  }
}

TEST(Expectations, ANamedBreachIsExcusedAndExpected) {
  result::Result r = began_at_zero();
  expect(r, "{broken_invariants: [progress-kept]}");
  EXPECT_TRUE(result::as_expected(r));
  EXPECT_EQ(excuses(r, "progress-kept"), "broken_invariants: [progress-kept]");
  expect(r, "{broken_invariants: [progress-kept, job-ends]}");
  EXPECT_FALSE(result::as_expected(r)) << "job-ends holds";
  EXPECT_EQ(r.expectations[0].found, "[progress-kept]");
}

TEST(Expectations, AnExcuseStatesTheSubjectOfABreachAndItsValue) {
  result::LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1");
  log.add(11s, "fleet.state", {{"fleet_id", "sfr-1"}, {"from", ""}, {"to", "active"}});
  result::Result r =
      result::result_of(log.charge(100s, "i-1", 10s, 100s).end("deadline", 100s).events());
  for (const char* stated : {"{running_instances: 1}", "{active_fleets: 1}",
                             "{running_instances: 2, active_fleets: 1}"}) {
    expect(r, stated);
    EXPECT_EQ(excuses(r, "nothing-runs"), "") << stated;
  }
  expect(r, "{running_instances: 1, active_fleets: {min: 1}}");
  EXPECT_EQ(excuses(r, "nothing-runs"), "running_instances: 1, active_fleets: {min: 1}");
}

TEST(Expectations, AnUnknownInvariantIsRejected) {
  Errors errors("x.yaml");
  read_expectations(Value(errors, YAML::Load("{broken_invariants: [progres-kept]}"), "expect"));
  ASSERT_EQ(errors.messages().size(), 1U);
  EXPECT_PRED2(contains, errors.messages()[0],
               "found progres-kept, expected an invariant such as "
               "progress-kept");
}

TEST(Expectations, BrokenInvariantFailsUnlessItsFigureIsExpected) {
  result::LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1");
  log.charge(100s, "i-1", 10s, 100s).end("deadline", 100s);
  result::Result r = result::result_of(log.events());
  EXPECT_FALSE(result::as_expected(r)) << "an instance runs, and no volume bears the tag";
  expect(r, "{outcome: deadline, running_instances: 1, tagged_volumes: 0}");
  EXPECT_TRUE(result::as_expected(r));
  EXPECT_EQ(excuses(r, "nothing-runs"), "running_instances: 1");
  EXPECT_EQ(excuses(r, "time-adds-up"), "") << "it holds";
}

TEST(Expectations, ExpectationsOfAGoodRunExcuseNothing) {
  result::LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1");
  log.charge(100s, "i-1", 10s, 100s).end("deadline", 100s);
  const result::Result broken = result::result_of(log.events());
  for (const char* stated : {"{outcome: completed}", "{outcome: deadline}", "{tagged_volumes: 1}",
                             "{tagged_volumes: {min: 1, max: 3}}", "{running_instances: 1}"}) {
    result::Result r = broken;
    expect(r, stated);
    const auto excused = [](const result::Verdict& v) { return v.excused(); };
    const bool ordinary = !contains(stated, "deadline") && !contains(stated, "running");
    EXPECT_EQ(std::ranges::none_of(r.invariants, excused), ordinary) << stated;
  }
}

TEST(Expectations, LedgersThatDoNotAddUpHaveNoExcuse) {
  result::LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").shutting_down(100s, "i-1");
  log.volume(1s, "vol-1", "", "creating").tag(1s, "vol-1", "job");
  log.terminated(110s, "i-1").end("failed", 110s);
  result::Result r = result::result_of(log.events());
  r.expectations = judged("{running_instances: 0, tagged_volumes: 1, lost_steps: 0, cost: 0}", r);
  EXPECT_FALSE(result::as_expected(r)) << "90 s are not on the bill";
}

TEST(Expectations, AListMayStateTheBeginningOnly) {
  const result::Result r = result::result_of(result::interrupted_once().events());
  const auto verdicts = judged(
      "{availability_zones: {first: [us-west-2b]}, end_reasons: {first: [interrupted, finished]}}",
      r);
  EXPECT_TRUE(verdicts[0].holds);
  EXPECT_EQ(verdicts[0].what, "availability_zones: {first: [us-west-2b]}");
  EXPECT_TRUE(verdicts[1].holds);
  for (const char* bad : {"{availability_zones: {first: [us-west-2a]}}",
                          "{end_reasons: {first: [interrupted, finished, finished]}}"})
    EXPECT_FALSE(judged(bad, r)[0].holds) << bad;
}

TEST(Expectations, PassOrReportTheValueFound) {
  const result::Result r = result::result_of(result::interrupted_once().events());
  for (const result::Verdict& v :
       judged("{outcome: completed, attempts: 2, lost_steps: {max: 3}, "
              "availability_zones: [us-west-2b, us-west-2a], waiting: 75s, "
              "running_instances: 0, savings: {min: 0.5, max: 1}}",
              r)) {
    EXPECT_TRUE(v.holds) << v.what << ": " << v.found;
  }
  const auto bad = judged(
      "{outcome: failed, attempts: {min: 3}, lost_steps: 4, "
      "availability_zones: [us-west-2a], deadline_met: true}",
      r);
  ASSERT_EQ(bad.size(), 5u);
  for (const result::Verdict& v : bad) EXPECT_FALSE(v.holds) << v.what;
  EXPECT_EQ(bad[0].found, "completed");
  EXPECT_EQ(bad[1].found, "2");
  EXPECT_EQ(bad[2].found, "[us-west-2b, us-west-2a]");
  EXPECT_EQ(bad[4].found, "unknown");
}

}  // namespace
}  // namespace sim::scenario
