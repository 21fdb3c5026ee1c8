// For tests: searches of scenarios/az-hop.yaml with fiber guests. A run takes a millisecond.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/files/folder_for_test.h"
#include "sim/explore/search.h"

namespace sim::explore {

namespace fs = std::filesystem;

inline const fs::path kAzHop = fs::path(SPOTSIM_SOURCE_DIR) / "scenarios/az-hop.yaml";

inline const std::set<std::string> kZones{"us-west-2a", "us-west-2b", "us-west-2c", "us-west-2d"};

inline scenario::Scenario az_hop(const std::string& invariants = "[]") {
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

}  // namespace sim::explore
