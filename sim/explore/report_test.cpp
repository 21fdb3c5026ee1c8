// The report of a search, and the scenarios that repeat its failures.
#include "sim/explore/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "sim/explore/console.h"
#include "sim/explore/explored_for_test.h"

namespace sim::explore {
namespace {

TEST_F(Explored, AFailureShowsHowItsConsolesEnd) {
  Runner runs = runner(az_hop("[{name: no-boot, never: {event: instance.boot}}]"));
  const Findings found = search(runs, {.runs = 1, .faults = 1});
  ASSERT_EQ(found.failures.size(), 1U);
  const auto& console = found.failures[0].tried.console;
  EXPECT_TRUE(std::ranges::any_of(
      console, [](const std::string& line) { return line.starts_with("operator: "); }));
  EXPECT_TRUE(
      std::ranges::any_of(console, [](const std::string& line) { return line.starts_with("i-"); }));
  const std::string text = report(found, runs, {"file"});
  EXPECT_NE(text.find(console.back()), text.npos) << text;
}

TEST_F(Explored, ASearchWithoutAFittingFaultSaysSo) {
  Runner runs = runner(az_hop());
  const Findings none = search(runs, {.faults = 1, .kinds = {"system-maintenance"}});
  const std::string text = report(none, runs, {});
  EXPECT_NE(text.find("no single fault of these kinds fits"), text.npos) << text;
}

TEST(LastLines, AreThoseThatCanBePrinted) {
  const base::FolderForTest folder;
  std::ofstream log(folder / "i-1.log");
  for (int n = 0; n < 20; ++n) log << "line " << n << "\n";
  log << " 10%\r 50%\r100%\r\n\033[31mred\n\n";
  log.close();
  const auto lines = last_lines(folder.path(), {"operator", "i-1"});
  ASSERT_EQ(lines.size(), 8U);
  EXPECT_EQ(lines[5], "i-1: line 19");
  EXPECT_EQ(lines[6], "i-1: 100%");
  EXPECT_EQ(lines[7], "i-1:  [31mred");
}

TEST_F(Explored, AllThatAPlanBreaksIsReported) {
  Runner runs =
      runner(az_hop("[{name: three-boots, at_most: 3, of: {event: instance.boot}}, "
                    "{name: one-cut, at_most: 0, of: {event: fault.strike}}]"));
  const Findings found = search(runs, {.faults = 1, .kinds = {"power-cut"}, .threads = 2});
  const auto both = std::ranges::find_if(
      found.failures, [](const Failure& failure) { return failure.tried.breaches.size() == 2; });
  ASSERT_NE(both, found.failures.end());
  const std::vector<fs::path> files(found.failures.size(), "file");
  const std::string text = report(found, runs, files);
  EXPECT_NE(text.find("and: one-cut"), text.npos) << text;
  const auto place = static_cast<std::size_t>(both - found.failures.begin());
  EXPECT_EQ(to_json(found, runs, files)["failures"][place]["also"][0]["invariant"], "one-cut");
}

TEST_F(Explored, WhatTheScenarioExpectsIsLookedForWithoutFaultsOnly) {
  Runner runs = runner(scenario::read_scenario(kAzHop, {{"expect", "{attempts: 1}", "test"}}));
  const Findings found = search(runs, {.faults = 1, .kinds = {"interrupt"}, .threads = 2});
  EXPECT_GT(found.runs, 100u) << "it goes on";
  ASSERT_EQ(found.failures.size(), 1u);
  EXPECT_EQ(found.failures[0].breach.id, "expectations");
  EXPECT_TRUE(found.failures[0].tried.plan.empty());
  const auto files = write_findings(found, runs, {{"expect", "{attempts: 1}", "test"}}, folder_);
  const scenario::Scenario again = scenario::read_scenario(files.at(0));
  const run::RunReport report_again =
      run::run(again, {.seed = again.seed, .guest = scenario::GuestKind::kFiber});
  EXPECT_FALSE(result::as_expected(*report_again.result));
}

TEST_F(Explored, AFailingPlanIsAScenarioThatFails) {
  const scenario::Overrides set{
      {"invariants", "[{name: two-boots, at_most: 3, of: {event: instance.boot}}]", "test"},
      {"trainer.policy", "steps:100", "test"},
      {"expect", "{}", "test"}};
  Runner runs = runner(scenario::read_scenario(kAzHop, set));
  const Findings found = search(runs, {.runs = 400, .faults = 1});
  ASSERT_FALSE(found.failures.empty());
  const auto files = write_findings(found, runs, set, folder_);
  ASSERT_EQ(files.size(), found.failures.size());
  const scenario::Scenario again = scenario::read_scenario(files[0]);
  EXPECT_EQ(again.given_as, files[0]);
  EXPECT_EQ(again.trainer->policy, "steps:100");
  EXPECT_EQ(faults::to_yaml(again.faults.at(0)),
            faults::to_yaml(scenario::parse_fault(found.failures[0].tried.plan[0], again)));
  const run::RunReport report_again =
      run::run(again, {.seed = again.seed, .guest = scenario::GuestKind::kFiber});
  EXPECT_FALSE(result::as_expected(*report_again.result));
  EXPECT_NE(report(found, runs, files).find("spotsim run " + files[0].string()), std::string::npos);
}

// The third boot belongs to the scenario's own fault.
TEST_F(Explored, AScenariosOwnFaultsStrikeInEveryRun) {
  const scenario::Overrides set{
      {"faults", "[{at: 7h, kind: drain}, {at: 20m, kind: power-cut}]", "test"},
      {"swarm", "{every: 1000h, kinds: [rebalance]}", "test"},
      {"invariants", "[{name: two-boots, at_most: 4, of: {event: instance.boot}}]", "test"},
      {"expect", "{}", "test"}};
  Runner runs = runner(scenario::read_scenario(kAzHop, set));
  const Findings found = search(runs, {.runs = 400, .faults = 1, .kinds = {"power-cut"}});
  EXPECT_GT(found.singles.at("power-cut").tried, 10U);
  ASSERT_FALSE(found.failures.empty());
  EXPECT_EQ(found.failures[0].tried.plan.size(), 1U);
  const auto files = write_findings(found, runs, set, folder_);
  const scenario::Scenario again = scenario::read_scenario(files[0]);
  EXPECT_EQ(again.faults.size(), runs.scenario().faults.size() + 1);
  const run::RunReport report_again =
      run::run(again, {.seed = again.seed, .guest = scenario::GuestKind::kFiber});
  const auto broken =
      std::ranges::find(report_again.result->invariants, "two-boots", &result::Verdict::id);
  ASSERT_NE(broken, report_again.result->invariants.end());
  EXPECT_EQ(broken->found, found.failures[0].breach.found);
}

TEST_F(Explored, AJobThatDoesNotCompleteFailsAgain) {
  const Runner runs = runner(az_hop());
  Findings found;
  found.failures.push_back(
      {{.plan = {"{before_call: {action: DescribeVolumes}, kind: api-error, code: Forbidden, "
                 "status: 403}"}},
       {.id = "job-completes", .sentence = "it completes", .found = "failed"}});
  const auto files = write_findings(found, runs, {}, folder_);
  const scenario::Scenario again = scenario::read_scenario(files.at(0));
  const run::RunReport failed =
      run::run(again, {.seed = again.seed, .guest = scenario::GuestKind::kFiber});
  EXPECT_FALSE(result::as_expected(*failed.result));
}

}  // namespace
}  // namespace sim::explore
