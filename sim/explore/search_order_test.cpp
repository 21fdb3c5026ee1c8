// The order in which a search tries single faults.
#include "sim/explore/search_order.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sim/explore/explored_for_test.h"

namespace sim::explore {
namespace {

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

// The same call is struck while the instance trains and after it has finished, before it is struck
// for the third time.
TEST(SearchOrder, ACallAfterTheEndOfTrainingIsNotLeftForLast) {
  std::vector<StrikePoint> points;
  for (int nth = 1; nth <= 9; ++nth)
    points.push_back({.kind = StrikePoint::Kind::kCall,
                      .when = faults::OnCall{.action = "PutObject", .caller = "1", .nth = nth},
                      .about = "PutObject",
                      .machine = "1",
                      .training = nth < 9 ? "trains" : "finished"});
  const auto ordered = in_search_order(faults_at(
      points, [](const faults::Kind& kind) { return kind.name == "api-slow"; }, kZones));
  ASSERT_EQ(ordered.size(), 9U);
  std::set<std::size_t> first;
  for (std::size_t i = 0; i < 3; ++i) first.insert(ordered[i].point);
  EXPECT_EQ(first, (std::set<std::size_t>{0, 1, 8}));
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

}  // namespace
}  // namespace sim::explore
