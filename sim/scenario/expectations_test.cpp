#include "sim/result/expectations.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/result/log_builder_for_test.h"
#include "sim/result/metrics.h"
#include "sim/scenario/blocks.h"
#include "sim/scenario/scenario_file_for_test.h"

namespace sim::run {
namespace {

std::vector<Verdict> judged(const std::string& yaml, const Result& result) {
  Errors errors("x.yaml");
  const auto expectations = read_expectations(Value(errors, YAML::Load(yaml), "expect"));
  EXPECT_TRUE(errors.empty()) << errors.messages().front();
  return judge(expectations, result);
}

TEST(Expectations, BrokenInvariantFailsUnlessItsFigureIsExpected) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1");
  log.charge(100s, "i-1", 10s, 100s).end("deadline", 100s);
  Result r = compute(log.events());
  EXPECT_FALSE(as_expected(r)) << "an instance runs, and no volume bears the tag";
  Errors errors("x.yaml");
  excuse(read_expectations(Value(
             errors, YAML::Load("{outcome: deadline, running_instances: 1, tagged_volumes: 0}"),
             "expect")),
         r.invariants);
  EXPECT_TRUE(as_expected(r));
}

TEST(Expectations, WhatIsExpectedOfAGoodRunExcusesNothing) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1");
  log.charge(100s, "i-1", 10s, 100s).end("deadline", 100s);
  const Result broken = compute(log.events());
  for (const char* stated : {"{outcome: completed}", "{outcome: deadline}", "{tagged_volumes: 1}",
                             "{tagged_volumes: {min: 1, max: 3}}", "{tagged_volumes: 0}"}) {
    Result r = broken;
    Errors errors("x.yaml");
    excuse(read_expectations(Value(errors, YAML::Load(stated), "expect")), r.invariants);
    const auto excused = [](const Verdict& v) { return v.excused; };
    const bool ordinary = !contains(stated, "deadline") && !contains(stated, ": 0");
    EXPECT_EQ(std::ranges::none_of(r.invariants, excused), ordinary) << stated;
  }
}

TEST(Expectations, LedgersThatDoNotAddUpHaveNoExcuse) {
  LogBuilder log;
  log.start().launch(0s, "i-1", "us-west-2b").running(10s, "i-1").shutting_down(100s, "i-1");
  log.volume(1s, "vol-1", "", "creating").tag(1s, "vol-1", "job");
  log.terminated(110s, "i-1").end("failed", 110s);
  Result r = compute(log.events());
  r.expectations = judged("{running_instances: 0, tagged_volumes: 1, lost_steps: 0, cost: 0}", r);
  EXPECT_FALSE(as_expected(r)) << "90 s are not on the bill";
}

TEST(Expectations, ListMayBeABeginning) {
  const Result r = compute(interrupted_once().events());
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

TEST(Expectations, HoldOrSayWhatWasFound) {
  const Result r = compute(interrupted_once().events());
  for (const Verdict& v : judged("{outcome: completed, attempts: 2, lost_steps: {max: 3}, "
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
  for (const Verdict& v : bad) EXPECT_FALSE(v.holds) << v.what;
  EXPECT_EQ(bad[0].found, "completed");
  EXPECT_EQ(bad[1].found, "2");
  EXPECT_EQ(bad[2].found, "[us-west-2b, us-west-2a]");
  EXPECT_EQ(bad[4].found, "unknown");
}

}  // namespace
}  // namespace sim::run
