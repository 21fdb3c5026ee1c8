// `job.checkpoints` of a sweep file: intervals, and checkpoint policies instead of them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "policies/checkpoint/policy.h"
#include "sim/scenario/scenario.h"
#include "sim/sweep/file/sweep_file.h"
#include "sim/sweep/run_all_for_test.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

class SweepCheckpoints : public testing::Test {
 protected:
  SweepCheckpoints() { fs::create_directories(folder_); }
  ~SweepCheckpoints() override { fs::remove_all(folder_); }

  SweepFile parse(const std::string& checkpoint, const std::string& job = "") const {
    return parse_sweep(
        "name: s\npolicies: [spot-only]\njob: {work: 4h, deadline: 8h, changeover: "
        "10m, tick: 10m, " +
            job + "\n  checkpoints: " + checkpoint +
            "}\nprices: {on_demand: 3, spot: 1}\n"
            "traces: [{draw: {up: 1h, down: 10m, length: 20h, count: 2}}]\n",
        folder_ / "s.yaml");
  }
  std::string complaint(const std::string& checkpoint, const std::string& job = "") const {
    try {
      parse(checkpoint, job);
    } catch (const scenario::ScenarioError& error) {
      const std::string what = error.what();
      return what.substr(what.find("s.yaml") + 7);
    }
    return "no error";
  }

  fs::path folder_ =
      fs::path(testing::TempDir()) / ("sweep-checkpoints-" + std::to_string(getpid()));
};

// The costs of its runs, in 10^-9 dollars.
std::vector<std::int64_t> costs_of(const SweepFile& file) {
  const Sweep& sweep = *file.sweep;
  const Rows rows = sweep::run_all(sweep);
  std::vector<std::int64_t> costs;
  for (std::size_t i = 0; i < rows.size(); ++i) costs.push_back(rows.measures(i)[sweep::kCost]);
  return costs;
}

TEST_F(SweepCheckpoints, EveryPolicyThatThereIsCanBeNamed) {
  const std::map<std::string_view, std::string> arguments{
      {"", ""},          {"K", ":10"},        {"T", ":30m"},          {"M", ":6h"},
      {"SHARE", ":0.2"}, {"BOUND", ":0.035"}, {"SHAPE:MEAN", ":1:6h"}};
  for (const auto& kind : policies::checkpoint_policy_kinds()) {
    if (kind.name == "command") continue;
    const std::string text = std::string(kind.name) + arguments.at(kind.argument);
    const SweepFile file = parse("{policy: '" + text + "', cost: 1m}");
    const auto& grid = file.sweep->grid();
    ASSERT_EQ(grid.settings.size(), 1) << text;
    const auto& variant = grid.variants.points[0];
    EXPECT_NE(fmt::format("{}", fmt::join(variant, " ")).find(text), std::string::npos);
    EXPECT_EQ(costs_of(file).size(), 2u) << text;
  }
}

TEST_F(SweepCheckpoints, AProgramStandsBesideTheSweep) {
  std::ofstream(folder_ / "always.sh")
      << "#!/bin/sh\nwhile read -r line; do echo '{\"save\": \"full\"}'; done\n";
  chmod((folder_ / "always.sh").c_str(), 0700);
  EXPECT_EQ(costs_of(parse("{policy: {command: ./always.sh}, cost: 1m}", "step: 30m,")),
            costs_of(parse("{policy: 'steps:1', cost: 1m}", "step: 30m,")));
  const std::string none = complaint("{policy: {command: ./never.sh}, cost: 1m}");
  EXPECT_EQ(none.rfind("4:25: job.checkpoints.policy: ", 0), 0u) << none;
}

TEST_F(SweepCheckpoints, AListOfPoliciesAndIntervalsIsAVariantEach) {
  std::ofstream(folder_ / "save-seldom.py")
      << "#!/bin/sh\nwhile read -r line; do echo '{\"save\": \"no\"}'; done\n";
  chmod((folder_ / "save-seldom.py").c_str(), 0700);
  const SweepFile file = parse_sweep(
      "name: s\npolicies: [greedy]\nprices: {on_demand: 3, spot: 1}\n"
      "traces: [{draw: {up: 5h, down: 1h, length: 60h}}]"
      R"(
job:
  work: 48h
  deadline: 60h
  changeover: 10m
  tick: 10m
  checkpoints:
    - {interval: 1h, cost: 2m}
    - {policy: "daly:6h", cost: 2m}
    - {policy: "daly:6h,on-notice", cost: 2m}
    - {policy: {command: ./save-seldom.py}, cost: 2m}
)",
      folder_ / "s.yaml");
  EXPECT_EQ(file.sweep->grid().variants.size(), 4);
  EXPECT_EQ(costs_of(file).size(), 4u);
}

TEST_F(SweepCheckpoints, SeveralNoticesAndRecommendationsAreSettings) {
  const std::string policy = "{policy: 'time:40m,on-notice,on-rebalance', cost: 3m}";
  const SweepFile all = parse(policy, "notice: [0s, 1m, 10m], rebalance: [0s, 20m],");
  const auto& points = all.sweep->grid().settings.points;
  ASSERT_EQ(points.size(), 6u);
  const auto costs = costs_of(all);
  std::size_t at = 0;
  for (const std::string notice : {"0s", "1m", "10m"}) {
    for (const std::string rebalance : {"0s", "20m"}) {
      const std::string name = " notice=" + notice + " rebalance=" + rebalance;
      EXPECT_TRUE(points[at].front().ends_with(name)) << points[at].front();
      const SweepFile one = parse(policy, "notice: " + notice + ", rebalance: " + rebalance + ",");
      EXPECT_EQ(one.sweep->grid().settings.points[0].front().find(" notice="), std::string::npos);
      EXPECT_EQ(costs_of(one), std::vector(costs.begin() + 2 * at, costs.begin() + 2 * at + 2))
          << name;
      ++at;
    }
  }
  EXPECT_NE(costs[0], costs[8]) << "ten minutes are enough to save in";
}

TEST_F(SweepCheckpoints, ReportsErrorsWithTheirPlacesAndOnce) {
  EXPECT_EQ(complaint("{intervall: 30m, cost: 1m}"),
            "4:17: job.checkpoints: found unknown key \"intervall\", expected \"interval\"");
  EXPECT_EQ(complaint("{policy: epoch, interval: 30m, cost: 1m}"),
            "4:42: job.checkpoints.interval: found `interval` together with `policy`, expected "
            "one of them");
  EXPECT_EQ(complaint("{interval: 0s, cost: 1m}"),
            "4:16: job.checkpoints: found a cost of checkpoints that are never made, expected an "
            "`interval` above 0");
  EXPECT_EQ(complaint("{interval: 1ns, cost: 1m}"),
            "4:16: job.checkpoints: found 4h of work with a checkpoint of 1m after every "
            "0.000000001s, which take 2.74e+07 years, expected at most ten");
  EXPECT_EQ(complaint("{policy: epoch}"),
            "4:16: job.checkpoints.cost: found nothing, expected a duration such as 30s");
  EXPECT_EQ(complaint("{policy: 'daly:6', cost: 1m}")
                .rfind("4:25: job.checkpoints.policy: checkpoint policy 'daly:6': expected", 0),
            0u);
  EXPECT_EQ(complaint("{policy: epoch, cost: 1m}", "step: 0s,"),
            "3:65: job.step: found \"0s\", expected a duration of at least 0.001s");
  EXPECT_EQ(complaint("{policy: epoch, cost: 1m}", "notice: [2m, 30],"),
            "3:72: job.notice[1]: found \"30\", expected a duration such as 2m, or a list of them "
            "(a unit is missing: 30s, 30m or 30h?)");
  EXPECT_EQ(complaint("{policy: epoch, cost: 1m}", "rebalance: [],"),
            "3:70: job.rebalance: found an empty list, expected at least one");
  EXPECT_EQ(complaint("{interval: 30m, cost: 1m}", "notice: [2m, 30s],"),
            "3:67: job.notice: found several, which no checkpoint policy reads, expected a "
            "`policy` in `checkpoints`");
}

}  // namespace
}  // namespace sim::sweep
