#include "sim/explore/ways.h"

#include <gtest/gtest.h>

namespace sim::explore {
namespace {

Failure failure(const std::string& invariant, const std::string& found, const std::string& kind) {
  Failure failure;
  failure.tried.plan = {"{at: 10m, kind: " + kind + "}"};
  failure.breach = {invariant, "a sentence", found, {}};
  return failure;
}

TEST(Ways, FaultsOfOneFamilyThatBreakTheSameAreOneWay) {
  Findings findings;
  findings.failures = {failure("progress-kept", "step 3", "interrupt"),
                       failure("progress-kept", "step 4", "torn-write"),
                       failure("progress-kept", "step 7", "power-cut"),
                       failure("nothing-runs", "1 instances", "interrupt")};
  EXPECT_EQ(ways_to_fail(findings), (std::vector<Way>{{0, 2}, {1}, {3}}));
}

TEST(Ways, CallsThatFailAreToldApartByTheMessageOfTheJobsEnd) {
  Findings findings;
  findings.failures = {failure("job-completes", "i-0123456789abcdef0: status 1", "api-error"),
                       failure("job-completes", "i-0fedcba9876543210: status 1", "api-expired"),
                       failure("job-completes", "i-0123456789abcdef0: status 2", "api-error"),
                       failure("job-completes", "unproven", "interrupt"),
                       failure("job-completes", "failed", "power-cut")};
  EXPECT_EQ(ways_to_fail(findings), (std::vector<Way>{{0, 1}, {2}, {3, 4}}));
}

TEST(Ways, AnInstanceThatEndsIsAnotherCauseThanOneThatBootsAgain) {
  Findings findings;
  findings.failures = {failure("job-completes", "unproven", "power-cut"),
                       failure("job-completes", "unproven", "terminate"),
                       failure("job-completes", "deadline", "reboot"),
                       failure("job-completes", "deadline", "stop"),
                       failure("job-completes", "stuck", "network-down")};
  EXPECT_EQ(ways_to_fail(findings), (std::vector<Way>{{0, 1}, {2, 3}, {4}}));
}

TEST(Ways, TheSummaryCountsSingleFaultsAndWays) {
  Findings findings;
  findings.singles["interrupt"] = {.points = 500, .tried = 120, .no_effect = 4};
  findings.singles["api-error"] = {.points = 200, .tried = 90};
  EXPECT_EQ(summary_of(findings), "tried 214 of 700 single faults: found no way to break the job");
  findings.failures = {failure("nothing-runs", "1 instances", "interrupt")};
  EXPECT_EQ(summary_of(findings), "tried 214 of 700 single faults: 1 way to break the job");
}

TEST(Ways, AnExplanationNamesTheLineBeforeTheStrikeAndWhatACorrectScriptDoes) {
  scenario::Scenario scenario;
  scenario.operator_file = "s.yaml";
  scenario.operator_script = "aws ec2 create-volume\naws ec2 run-instances\n";
  scenario.operator_script_line = 5;
  Findings findings;
  const faults::OnEvent ready{.event = "volume.state", .fields = {{"to", "available"}}};
  findings.points = {{.kind = StrikePoint::Kind::kCall,
                      .when = faults::OnCall{.action = "CreateVolume"},
                      .about = "CreateVolume",
                      .machine = "1"},
                     {.kind = StrikePoint::Kind::kEvent, .when = ready, .about = "volume.state"}};
  Failure broken = failure("nothing-runs", "1 instances", "");
  broken.tried.plan = {"{on: {event: volume.state, to: available}, kind: power-cut}"};
  const Explanation why = explain(broken, findings, scenario, ScriptLines(scenario));
  ASSERT_EQ(why.lines.size(), 1U);
  EXPECT_EQ(why.lines[0].why, "the last call before");
  EXPECT_EQ(why.lines[0].at, (ScriptLine{"s.yaml", 5, "aws ec2 create-volume"}));
  ASSERT_EQ(why.remedies.size(), 1U);
  EXPECT_TRUE(why.remedies[0].starts_with("A correct script saves regularly")) << why.remedies[0];
}

}  // namespace
}  // namespace sim::explore
