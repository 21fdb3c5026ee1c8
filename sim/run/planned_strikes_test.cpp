// The remarks about interruptions and faults that had no effect.
#include "sim/result/expectations.h"
#include "sim/run/fiber_run_for_test.h"

namespace sim::run {
namespace {

// az-hop with this plan. Instance 1 prepares the volume, instance 2 is the first that trains.
result::Result az_hop(const std::string& plan, const std::string& expect = "") {
  scenario::Overrides set{{"interruptions", "[]", "test"}};
  const auto faults = plan.find("kind:") != plan.npos;
  set.push_back({faults ? "faults" : "interruptions", plan, "test"});
  set.push_back({"expect", expect.empty() ? "{outcome: completed}" : expect, "test"});
  return *play(scenario::read_scenario(kScenarios / "az-hop.yaml", set)).report.result;
}

std::string remark(const std::string& plan) { return az_hop(plan).plan.at(0).remark; }

TEST(PlannedStrikes, CountInstancesInTheOrderOfLaunchForInterruptionsAndFaultsAlike) {
  const result::Result taken = az_hop("[{instance: 2, after: 10m}]");
  EXPECT_EQ(taken.attempts.at(0).number, 2U);
  EXPECT_EQ(taken.attempts.at(0).end_reason, "interrupted");
  EXPECT_EQ(taken.plan.at(0).strikes, 1);
  EXPECT_EQ(taken.plan.at(0).plan, "{instance: 2, after: 10m}");
  const result::Result cut = az_hop("[{at: 30m, kind: power-cut, instance: 2}]");
  EXPECT_EQ(cut.attempts.at(0).end_reason, "interrupted");
  EXPECT_TRUE(result::as_expected(taken) && result::as_expected(cut));
}

TEST(PlannedStrikes, ReportWhyAnEntryDidNotStrike) {
  EXPECT_EQ(remark("[{instance: 9, after: 10m}]"),
            "instance 9 was never launched: the run launched 2");
  EXPECT_EQ(remark("[{instance: 1, after: 1s}]"),
            "instance 1 is on demand: EC2 interrupts spot instances only");
  EXPECT_EQ(remark("[{instance: 2, after: 7h}]"), "instance 2 ended before");
  EXPECT_EQ(remark("[{pool: p3.2xlarge/us-west-2c, at: 1h}]"),
            "no spot instance of p3.2xlarge/us-west-2c ran then");
  EXPECT_EQ(remark("[{pool: p3.2xlarge/us-west-2b, at: 7h}]"), "the run ended before");
  EXPECT_EQ(remark("[{before_call: {action: CreateSnapshot, caller: 9}, kind: power-cut}]"),
            "instance 9 was never launched: the run launched 2");
  EXPECT_EQ(remark("[{before_call: {action: CreateSnapshot}, kind: power-cut}]"),
            "0 of 1 such calls came");
  EXPECT_EQ(remark("[{at: 1s, kind: power-cut}]"), "it found no target");
  EXPECT_EQ(remark("[{at: 30m, kind: api-error, action: CreateSnapshot}]"),
            "it was active, but affected no call, request or transition");
  EXPECT_EQ(remark("[{lifetime: {mean: 1000h}, kind: power-cut}]"),
            "no spot instance ran for as long as its drawn lifetime");
  EXPECT_EQ(remark("[{instance: 2, after: 10m}]"), "");
}

TEST(PlannedStrikes, AreExpectedOfEntriesThatNameAnInstance) {
  const char* const kNobody = "[{instance: 9, after: 10m}]";
  const result::Result silent = az_hop(kNobody);
  EXPECT_FALSE(result::as_expected(silent));
  EXPECT_EQ(silent.expectations.back().found,
            "interruptions[0] had no effect (instance 9 was never launched: the run launched 2)");
  EXPECT_TRUE(result::as_expected(az_hop(kNobody, "{struck: {min: 0}}")));
  EXPECT_TRUE(result::as_expected(az_hop(kNobody, "{struck: 0}")));
  EXPECT_FALSE(result::as_expected(az_hop(kNobody, "{struck: all}")));
  const char* const kAnyInstance = "[{pool: p3.2xlarge/us-west-2c, at: 1h}]";
  EXPECT_TRUE(result::as_expected(az_hop(kAnyInstance))) << "it names none";
  EXPECT_FALSE(result::as_expected(az_hop(kAnyInstance, "{struck: all}")));
}

}  // namespace
}  // namespace sim::run
