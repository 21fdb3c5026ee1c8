// What a search runs, finds and counts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <regex>
#include <set>

#include "sim/explore/explored_for_test.h"
#include "sim/explore/report.h"

namespace sim::explore {
namespace {

// In a run without a hop, the budget is spent on a second fault during the hop that the first one
// causes.
TEST_F(Explored, AJobThatIsNeverTakenBackIsTakenBackForPairs) {
  const scenario::Overrides calm{
      {"interruptions", "[]", "test"},
      {"invariants", "[{name: no-snapshot-fails, never: {event: snapshot.state, to: error}}]",
       "test"},
      {"expect", "{}", "test"}};
  Runner runs = runner(scenario::read_scenario(kAzHop, calm));
  const Findings found = search(
      runs, {.runs = 140, .faults = 2, .kinds = {"reclaim", "snapshot-error"}, .threads = 2});
  const auto in_the_hop = std::ranges::find_if(
      found.failures, [](const Failure& failure) { return failure.tried.plan.size() == 2; });
  ASSERT_NE(in_the_hop, found.failures.end()) << "the run itself makes no snapshot";
  EXPECT_NE(in_the_hop->tried.plan[0].find("reclaim"), std::string::npos);
  expect_smallest(runs, *in_the_hop);
}

TEST_F(Explored, EachStrikePointHasWhatSingleFaultsDidThere) {
  Runner runs = runner(az_hop("[{name: three-boots, at_most: 3, of: {event: instance.boot}}]"));
  const Findings found = search(runs, {.runs = 60, .faults = 1, .kinds = {"interrupt"}});
  ASSERT_EQ(found.at_points.size(), found.points.size());
  Coverage all;
  std::size_t broken = 0;
  for (const PointCoverage& point : found.at_points) {
    all.tried += point.tried;
    all.no_effect += point.no_effect;
    for (const PointCoverage::Broken& one : point.broken) {
      ++broken;
      EXPECT_TRUE(one.fault.find("kind: interrupt") != std::string::npos) << one.fault;
      EXPECT_EQ(one.invariants, std::vector<std::string>{"three-boots"});
    }
  }
  EXPECT_EQ(all.tried, found.singles.at("interrupt").tried);
  EXPECT_EQ(all.no_effect, found.singles.at("interrupt").no_effect);
  EXPECT_GT(broken, 0U);
  EXPECT_TRUE(fs::exists(folder_ / kFaultFree / "result.json"));
  EXPECT_TRUE(fs::exists(folder_ / kFaultFree / "events.jsonl"));
}

// No run without a fault launches a third instance for the job, or breaks another invariant.
TEST_F(Explored, FindsTheSingleFaultsThatBreakAnInvariant) {
  Runner runs = runner(az_hop("[{name: two-boots, at_most: 3, of: {event: instance.boot}}]"));
  const Findings found = search(runs, {.faults = 1, .threads = 2});
  EXPECT_TRUE(found.complete);
  ASSERT_FALSE(found.failures.empty());
  for (const Failure& failure : found.failures) {
    EXPECT_EQ(failure.tried.plan.size(), 1u);
    EXPECT_EQ(failure.breach.id, "two-boots");
    EXPECT_FALSE(failure.breach.lines.empty());
  }
  for (const auto& [kind, coverage] : found.singles)
    EXPECT_EQ(coverage.points, coverage.tried + coverage.no_effect) << kind;
}

// A program that always uses tokens notices no difference when they are required.
TEST_F(Explored, WhatChangesNothingIsNotTried) {
  Runner runs = runner(az_hop());
  const Findings found =
      search(runs, {.faults = 1, .kinds = {"imds-v2-required", "rebalance"}, .threads = 2});
  const Coverage required = found.singles.at("imds-v2-required");
  EXPECT_GT(required.points, 0U);
  EXPECT_EQ(required.tried, 0U);
  EXPECT_EQ(required.no_effect, required.points);
  const Coverage rebalance = found.singles.at("rebalance");
  EXPECT_GT(rebalance.tried, 100U) << "the log tells of it";
  EXPECT_EQ(to_json(found, runs, {})["singles"]["imds-v2-required"]["no_effect"], required.points);
  const std::string text = report(found, runs, {});
  EXPECT_NE(text.find("no effect"), text.npos) << text;
}

TEST_F(Explored, ForecastsTheNumberOfRuns) {
  Runner runs = runner(az_hop());
  TriedBefore before(folder_ / "runs.jsonl", {{"seed", "7"}});
  std::vector<Forecast> told;
  const Progress progress{.begins = [&](const Forecast& forecast) { told.push_back(forecast); },
                          .done = {}};
  const Findings found =
      Search(runs, {.faults = 1, .kinds = {"imds-slow"}}, before, progress, stop_).run();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].singles, found.singles.at("imds-slow").points);
  EXPECT_EQ(told[0].runs + 1, found.runs);
  EXPECT_GT(told[0].all.count(), 0);
  Search(runs, {.faults = 1, .kinds = {"imds-slow"}}, before, progress, stop_).run();
  EXPECT_EQ(told[1].runs, 0U) << "all are known";
}

// All steps of a training are one place, and so are calls that poll.
TEST_F(Explored, RepeatedPlacesAreCountedOnce) {
  Runner runs = runner(az_hop());
  const Findings part = search(runs, {.runs = 20, .faults = 1, .kinds = {"power-cut"}});
  EXPECT_LE(part.tried_places, 19U);
  EXPECT_GT(part.tried_places, 10U);
  const Findings all = search(runs, {.faults = 1, .kinds = {"power-cut"}});
  EXPECT_EQ(all.places, part.places);
  EXPECT_EQ(all.tried_places, all.places);
  EXPECT_LT(all.places, all.singles.at("power-cut").points / 2);
  EXPECT_NE(report(all, runs, {}).find(fmt::format("{0} of {0} places tried", all.places)),
            std::string::npos);
  EXPECT_EQ(to_json(all, runs, {})["tried_places"], all.places);
}

TEST_F(Explored, ProgressCountsAllSingleFaults) {
  Runner runs = runner(az_hop());
  TriedBefore before(folder_ / "runs.jsonl", {{"seed", "7"}});
  std::set<std::size_t> all;
  std::size_t last = 0;
  const Progress progress{.begins = {},
                          .done = [&](const std::string& stage, std::size_t done, std::size_t of) {
                            EXPECT_EQ(stage, "single faults");
                            EXPECT_GT(done, last);
                            last = done;
                            all.insert(of);
                          }};
  const Findings found =
      Search(runs, {.runs = 500, .faults = 1, .kinds = {"power-cut"}}, before, progress, stop_)
          .run();
  EXPECT_EQ(last, found.singles.at("power-cut").points);
  EXPECT_EQ(all, std::set{last});
}

TEST_F(Explored, ForecastsHowManyRunsFitIntoTheTime) {
  Runner runs = runner(az_hop());
  TriedBefore before(folder_ / "runs.jsonl", {{"seed", "7"}});
  std::optional<Forecast> told;
  const Progress progress{.begins = [&](const Forecast& forecast) { told = forecast; }, .done = {}};
  const Budget budget{.time = std::chrono::milliseconds(1), .faults = 1};
  Search(runs, budget, before, progress, stop_).run();
  ASSERT_TRUE(told && told->within);
  EXPECT_LT(*told->within, told->runs);
  EXPECT_EQ(told->all, *budget.time);
}

TEST_F(Explored, WhatIsBrokenWithoutAFaultIsFoundOnceAndTheSearchGoesOn) {
  Runner runs =
      runner(az_hop("[{name: no-boot, never: {event: instance.boot}}, "
                    "{name: two-boots, at_most: 3, of: {event: instance.boot}}]"));
  const Findings found = search(runs, {.faults = 1, .kinds = {"power-cut"}, .threads = 2});
  ASSERT_GT(found.failures.size(), 1u);
  EXPECT_TRUE(found.failures[0].tried.plan.empty());
  EXPECT_EQ(found.failures[0].breach.id, "no-boot");
  for (std::size_t i = 1; i < found.failures.size(); ++i)
    EXPECT_EQ(found.failures[i].breach.id, "two-boots");
}

TEST_F(Explored, PairsAreShrunkToWhatIsNeeded) {
  Runner runs = runner(
      az_hop("[{name: five-errors, at_most: 4, of: {event: api.call, result: InternalError}}]"));
  const Findings found =
      search(runs, {.runs = 3000, .faults = 2, .kinds = {"api-error"}, .threads = 2});
  std::size_t pairs = 0;
  for (const Failure& failure : found.failures) {
    if (failure.breach.id != "five-errors") continue;
    ++pairs;
    ASSERT_EQ(failure.tried.plan.size(), 2u);
    expect_smallest(runs, failure);
  }
  EXPECT_GT(pairs, 0u);
}

// An invariant that any three strikes break.
TEST_F(Explored, RandomPlansAreShrunkToWhatIsNeeded) {
  Runner runs = runner(az_hop("[{name: two-strikes, at_most: 2, of: {event: fault.strike}}]"));
  const Findings found = search(
      runs,
      {.runs = 1000, .faults = 3, .kinds = {"drain", "price", "duplicate-instance"}, .threads = 2});
  for (const auto& [kind, coverage] : found.singles)
    EXPECT_TRUE(kind == "drain" || kind == "price" || kind == "duplicate-instance") << kind;
  EXPECT_GT(found.random_plans, 100u);
  ASSERT_FALSE(found.failures.empty());
  bool shrunk = false;
  for (const Failure& failure : found.failures) {
    EXPECT_EQ(failure.breach.id, "two-strikes");
    EXPECT_EQ(failure.tried.plan.size(), 3u);
    expect_smallest(runs, failure);
    shrunk |= failure.alike > 1;
  }
  EXPECT_TRUE(shrunk);
}

TEST_F(Explored, ThreadsDoNotChangeWhatIsFound) {
  const std::string invariants = "[{name: two-boots, at_most: 3, of: {event: instance.boot}}]";
  Runner one = runner(az_hop(invariants)), two = runner(az_hop(invariants));
  const Findings a = search(one, {.runs = 800, .faults = 1, .threads = 1});
  ASSERT_FALSE(a.failures.empty());
  fs::remove(folder_ / "runs.jsonl");
  const Findings b = search(two, {.runs = 800, .faults = 1, .threads = 2});
  const std::vector<fs::path> files(a.failures.size(), "file");
  EXPECT_EQ(to_json(a, one, files), to_json(b, two, files));
}

TEST_F(Explored, ASearchGoesOnWhereItWasEnded) {
  Runner runs = runner(az_hop());
  const Findings part = search(runs, {.runs = 300, .faults = 1});
  EXPECT_FALSE(part.complete);
  // The process ended in the middle of a line.
  const fs::path file = folder_ / "runs.jsonl";
  fs::resize_file(file, fs::file_size(file) - 5);
  const Findings whole = search(runs, {.faults = 1});
  EXPECT_TRUE(whole.complete);
  EXPECT_GT(whole.resumed, 200u);
  EXPECT_LT(whole.resumed, part.runs);
}

// The replay has no such cap, so the report says why the run ended.
TEST_F(Explored, ARunThatLaunchesTooManyInstancesIsEndedAndSaysSo) {
  Runner runs = runner(az_hop());
  StrikePoints points;
  runs.baseline(points);
  const Tried tried = runs.run({"{every: 1m, kind: power-cut}"});
  ASSERT_EQ(tried.breaches.size(), 1U);
  EXPECT_EQ(tried.breaches[0].id, "job-ends");
  EXPECT_TRUE(std::regex_match(
      tried.breaches[0].found,
      std::regex("launched (\\d+) instances; the search permits \\d+, 8 more than 4 times those of "
                 "the first run, and ended this run\\. .*")))
      << tried.breaches[0].found;
}

}  // namespace
}  // namespace sim::explore
