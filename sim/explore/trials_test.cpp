// The single faults that a search tries, and where.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "sim/explore/explored_for_test.h"

namespace sim::explore {
namespace {

TEST_F(Explored, OnlyTheKindsThatAreAskedForAreTried) {
  Runner runs = runner(az_hop());
  const Findings found = search(runs, {.runs = 4, .faults = 1, .kinds = {"slow"}});
  EXPECT_EQ(found.singles.size(), 1U);
  EXPECT_EQ(found.singles.at("slow").tried, 3U);
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

std::vector<std::string> tried_at(StrikePoint point, const char* kind) {
  std::vector<std::string> all;
  for (const TriedFault& fault : faults_at(
           {std::move(point)}, [&](const faults::Kind& one) { return one.name == kind; }, kZones))
    all.push_back(fault.yaml);
  return all;
}

TEST(Trials, SomebodyActsOnAnInstanceAndItsNetworkIsLostWhileItTrains) {
  const StrikePoint training{.kind = StrikePoint::Kind::kEvent,
                             .when = faults::OnEvent{.event = "trainer.start"},
                             .about = "trainer.start",
                             .machine = "1"};
  for (const char* const kind : {"terminate", "reboot", "network-down"})
    EXPECT_EQ(tried_at(training, kind),
              std::vector{std::string("{on: {event: trainer.start}, kind: ") + kind + "}"});
}

// EC2 refuses other stops, so a run would show nothing.
TEST(Trials, OnlyAnInstanceThatCanBeStoppedIsStopped) {
  StrikePoint point{.kind = StrikePoint::Kind::kEvent,
                    .when = faults::OnEvent{.event = "trainer.start"},
                    .about = "trainer.start",
                    .machine = "1"};
  EXPECT_EQ(tried_at(point, "stop"), std::vector<std::string>{});
  point.can_stop = true;
  EXPECT_EQ(tried_at(point, "stop"),
            std::vector<std::string>{"{on: {event: trainer.start}, kind: stop, for: 10m}"});
}

TEST(Trials, AStopElsewhereAlsoNeedsItsTargetAndEnds) {
  StrikePoint point{.kind = StrikePoint::Kind::kEvent,
                    .when = faults::OnEvent{.event = "trainer.step"},
                    .about = "trainer.step",
                    .machine = "1"};
  const auto wanted = [](const faults::Kind& kind) { return kind.name == "stop"; };
  EXPECT_TRUE(faults_elsewhere({point}, wanted, kZones, {}).empty());
  point.can_stop = true;
  const auto stops = faults_elsewhere({point}, wanted, kZones, {});
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].yaml, "{on: {event: trainer.step}, kind: stop, for: 10m}");
  EXPECT_EQ(stops[0].needs, guest::GuestFault::What::kReboot);
}

// Models of programs run nothing after the start of a stopped instance.
TEST_F(Explored, FiberGuestsAreNotStoppedForATime) {
  Runner runs = runner(scenario::read_scenario(kAzHop.parent_path() / "on-demand.yaml"));
  const Findings found =
      search(runs, {.faults = 1, .everywhere = true, .kinds = {"stop", "terminate"}});
  EXPECT_FALSE(found.singles.contains("stop"));
  EXPECT_GT(found.singles.at("terminate").tried, 0U);
}

TEST_F(Explored, AJobMayWaitForAnInstanceThatSomebodyStopped) {
  const Runner runs = runner(scenario::read_scenario(kAzHop.parent_path() / "on-demand.yaml"));
  const Tried stopped = runs.run({"{on: {event: trainer.start}, kind: stop}"});
  EXPECT_NE(stopped.outcome, "completed");
  EXPECT_TRUE(stopped.breaches.empty()) << stopped.breaches[0].id << stopped.breaches[0].found;
  // The instance is started again, and runs nothing.
  const Tried idle = runs.run({"{on: {event: trainer.start}, kind: stop, for: 10m}"});
  EXPECT_TRUE(std::ranges::any_of(
      idle.breaches, [](const Breach& breach) { return breach.id == "nothing-runs"; }));
}

}  // namespace
}  // namespace sim::explore
