// The search on runs of fiber guests, which take a millisecond each.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/files/folder_for_test.h"
#include "sim/explore/console.h"
#include "sim/explore/report.h"
#include "sim/explore/search.h"
#include "sim/explore/search_order.h"
#include "sim/result/history_builder.h"

namespace sim::explore {
namespace {

namespace fs = std::filesystem;

const fs::path kAzHop = fs::path(SPOTSIM_SOURCE_DIR) / "scenarios/az-hop.yaml";

const std::set<std::string> kZones{"us-west-2a", "us-west-2b", "us-west-2c", "us-west-2d"};

scenario::Scenario az_hop(const std::string& invariants = "[]") {
  return scenario::read_scenario(kAzHop, {{"invariants", invariants, "test"}});
}

class Explored : public ::testing::Test {
 protected:
  Findings search(Runner& runner, Budget budget) {
    TriedBefore before(folder_ / "runs.jsonl", {{"seed", "7"}});
    return Search(runner, budget, before, {}, stop_).run();
  }
  Runner runner(scenario::Scenario scenario) {
    return Runner(std::move(scenario), scenario::GuestKind::kFiber, 7, "", folder_ / "run", &stop_);
  }

  // A failing plan fails again in the same way. If any fault is removed, the plan does not fail.
  static void expect_smallest(const Runner& runs, const Failure& failure) {
    const auto breach = [&](const PlanText& plan) -> std::optional<Breach> {
      const Tried tried = runs.run(plan);
      const auto same = std::ranges::find(tried.breaches, failure.breach.id, &Breach::id);
      return same == tried.breaches.end() ? std::nullopt : std::optional(*same);
    };
    for (int again = 0; again < 2; ++again) {
      const auto found = breach(failure.tried.plan);
      ASSERT_TRUE(found) << to_yaml(failure.tried.plan);
      EXPECT_EQ(found->found, failure.breach.found);
      EXPECT_EQ(found->lines, failure.breach.lines);
    }
    for (std::size_t i = 0; i < failure.tried.plan.size(); ++i) {
      PlanText fewer = failure.tried.plan;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(breach(fewer)) << to_yaml(fewer);
    }
  }

  base::FolderForTest folder_;
  std::atomic<bool> stop_{false};
};

TEST_F(Explored, EveryStrikePointCanBeStruck) {
  const Runner runs = runner(az_hop());
  StrikePoints points;
  runs.run({}, &points);
  std::size_t struck = 0, tried = 0;
  // A kind that changes nothing, so that the run is the same up to each point.
  for (const StrikePoint& point : points.all()) {
    if (point.kind == StrikePoint::Kind::kMetadata) continue;
    StrikePoints seen;
    const std::string fault =
        faults::to_yaml(faults::Fault{.kind = "rebalance", .when = point.when});
    runs.run({fault}, &seen);
    // At the run's last line no fault can strike.
    if (point.at == points.all().back().at) continue;
    ++tried;
    struck += seen.struck();
    EXPECT_EQ(seen.struck(), 1u) << fault;
  }
  EXPECT_GT(tried, 200u);
  EXPECT_EQ(struck, tried);
}

TEST_F(Explored, StrikePointsAreThoseOfTheLog) {
  const Runner runs = runner(az_hop());
  StrikePoints points;
  runs.run({}, &points);
  const auto count = [&](const std::string& about, StrikePoint::Kind kind) {
    return std::ranges::count_if(points.all(), [&](const StrikePoint& point) {
      return point.about == about && point.kind == kind;
    });
  };
  EXPECT_EQ(count("CreateSnapshot", StrikePoint::Kind::kCall), 1);
  EXPECT_EQ(count("CreateSnapshot", StrikePoint::Kind::kAnsweredCall), 1);
  EXPECT_EQ(count("snapshot.state completed", StrikePoint::Kind::kEvent), 1);
  EXPECT_EQ(count("instance.notice", StrikePoint::Kind::kEvent), 1);
  EXPECT_EQ(count("trainer.checkpoint-begin", StrikePoint::Kind::kEvent),
            count("trainer.checkpoint-durable", StrikePoint::Kind::kEvent));
  EXPECT_TRUE(points.in_recovery().empty());
}

TEST_F(Explored, AShortSearchCoversEachKindAndTheWholeRun) {
  const Runner runs = runner(az_hop());
  StrikePoints points;
  runs.run({}, &points);
  const auto all = faults_at(
      points.all(), [&](const faults::Kind& kind) { return runs.may_have(kind); }, kZones);
  const auto ordered = in_search_order(all);
  const auto plans = [](const std::vector<TriedFault>& faults) {
    std::multiset<std::string> found;
    for (const TriedFault& fault : faults) found.insert(fault.yaml);
    return found;
  };
  EXPECT_EQ(plans(ordered), plans(all));
  std::set<std::string> kinds, here;
  for (const TriedFault& fault : all)
    kinds.insert(fmt::format("{} {}", fault.kind->name, fault.arguments));
  for (std::size_t i = 0; i < kinds.size() + 20; ++i)
    here.insert(fmt::format("{} {}", ordered[i].kind->name, ordered[i].arguments));
  EXPECT_EQ(here, kinds) << "a turn has all of them";
  std::vector<std::string> cuts, throttled;
  for (const TriedFault& fault : ordered) {
    if (fault.kind->name == "power-cut") cuts.push_back(fault.about);
    if (fault.kind->name == "api-throttled") throttled.push_back(fault.about);
  }
  EXPECT_EQ(std::set<std::string>(cuts.begin(), cuts.begin() + 10).size(), 10U);
  EXPECT_EQ(std::set<std::string>(throttled.begin(), throttled.begin() + 6).size(), 6U)
      << "with other arguments, at other places";
}

TEST(SearchOrder, BeginsWithHowScriptsSaveWatchAndResume) {
  std::vector<StrikePoint> points;
  const auto call = [&](const char* action, const char* machine) {
    points.push_back({.kind = StrikePoint::Kind::kCall,
                      .when = faults::OnCall{.action = action, .caller = machine},
                      .about = action,
                      .machine = machine,
                      .instance_runs = true,
                      .spot_runs = true});
  };
  call("ListObjectsV2", "1");
  call("DescribeInstances", "operator");
  call("HeadObject", "2");
  call("PutObject", "2");
  call("ListObjectsV2", "2");
  const auto ordered = in_search_order(faults_at(
      points, [](const faults::Kind&) { return true; }, kZones));
  EXPECT_EQ(ordered[0].yaml,
            "{before_call: {action: DescribeInstances, caller: operator}, kind: api-throttled, "
            "times: 5}");
  EXPECT_EQ(ordered[1].yaml,
            "{before_call: {action: ListObjectsV2, caller: 2}, kind: api-throttled, times: 5}");
  EXPECT_EQ(ordered[2].yaml,
            "{before_call: {action: HeadObject, caller: 2}, kind: api-throttled, times: 5}");
}

TEST_F(Explored, AnInstanceIsStruckFirstWhereItHasTakenSomethingAway) {
  Runner runs = runner(az_hop());
  StrikePoints points;
  runs.run({}, &points);
  const auto ordered = in_search_order(faults_at(
      points.all(), [](const faults::Kind& kind) { return kind.name == "power-cut"; }, kZones));
  EXPECT_EQ(ordered.front().group, PointGroup::kBetween) << ordered.front().about;
  const auto next = std::ranges::find_if(
      ordered, [](const TriedFault& fault) { return fault.group != PointGroup::kBetween; });
  EXPECT_EQ(next->group, PointGroup::kTraining) << next->about;
}

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

TEST_F(Explored, OnlyTheKindsThatAreAskedForAreTried) {
  Runner runs = runner(az_hop());
  const Findings found = search(runs, {.runs = 4, .faults = 1, .kinds = {"slow"}});
  EXPECT_EQ(found.singles.size(), 1U);
  EXPECT_EQ(found.singles.at("slow").tried, 3U);
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

TEST(StrikePointsOfALog, RepeatedEmptyPollsAreStruckTheFirstTime) {
  events::Listeners log;
  result::HistoryBuilder builder;
  builder.listen(log);
  StrikePoints points;
  points.listen(log, builder.history());
  const auto tell = [&log](const auto& event) { log.tell(events::AnyEvent(event)); };
  const auto look = [&](int status) {
    tell(events::ImdsRequest{
        .instance_id = "i-1", .path = "/latest/meta-data/spot/instance-action", .status = status});
  };
  tell(events::InstanceState{.instance_id = "i-1", .to = "pending"});
  look(404);
  tell(events::TrainerStep{.step = 1});
  look(404);
  look(404);
  EXPECT_EQ(points.all().size(), 3U);
  tell(events::InstanceNotice{.instance_id = "i-1"});
  look(404);
  look(200);
  ASSERT_EQ(points.all().size(), 6U);
  EXPECT_EQ(std::get<faults::OnMetadata>(points.all()[5].when).nth, 5);
}

TEST_F(Explored, RecoveryEndsWithACheckpointOfNewSteps) {
  const Runner runs = runner(az_hop());
  StrikePoints points;
  runs.run({"{at: 20m, kind: power-cut}"}, &points);
  const auto recovery = points.in_recovery();
  ASSERT_FALSE(recovery.empty());
  EXPECT_LT(recovery.size(), points.all().size() / 2);
  EXPECT_EQ(recovery.back().about, "trainer.checkpoint-durable");
  EXPECT_TRUE(std::ranges::any_of(recovery, [](const StrikePoint& point) {
    return point.about == "orchestrator.phase attach";
  }));
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

TEST_F(Explored, EachKindStrikesAtEachPointAndTrialsComeFirst) {
  Runner runs = runner(az_hop());
  StrikePoints points;
  runs.run({}, &points);
  const auto wanted = [](const faults::Kind& kind) {
    return kind.name == "volume-error" || kind.name == "slow";
  };
  const auto trials = faults_at(points.all(), wanted, kZones);
  const auto others = faults_elsewhere(points.all(), wanted, kZones, trials);
  std::map<std::string, std::size_t> tried;  // number of points, by the fault without its point
  for (const auto* const faults : {&trials, &others})
    for (const TriedFault& fault : *faults)
      ++tried[fmt::format("{}, {}", fault.kind->name, fault.arguments)];
  for (const char* const fault : {"volume-error, ", "slow, transition: snapshot-duration",
                                  "slow, transition: volume-attaching"})
    EXPECT_EQ(tried[fault], points.all().size()) << fault;
  EXPECT_TRUE(std::ranges::any_of(others, [](const TriedFault& fault) {
    return fault.yaml == "{on: {event: snapshot.state, to: completed}, kind: volume-error}";
  }));
  const Findings found =
      search(runs, {.runs = 20, .faults = 1, .everywhere = true, .kinds = {"volume-error"}});
  EXPECT_EQ(found.singles.at("volume-error").points, points.all().size());
}

TEST_F(Explored, CapacityIsTriedInEachZone) {
  Runner runs = runner(az_hop());
  const Findings found = search(runs, {.faults = 1, .kinds = {"drain"}, .threads = 2});
  std::ifstream runs_file(folder_ / "runs.jsonl");
  const std::string all((std::istreambuf_iterator<char>(runs_file)), {});
  for (const std::string& zone : kZones)
    EXPECT_NE(all.find("kind: drain, zone: " + zone + "}"), all.npos) << zone;
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
