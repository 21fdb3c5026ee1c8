#include <gtest/gtest.h>

#include <algorithm>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

struct Rebalancing : CloudWorld {
  explicit Rebalancing(CapacityRebalance how) {
    SpotFleetRequest request = fleet_request(2);
    request.config.rebalance = how;
    id = cloud.request_spot_fleet(request);
    run(1min);
  }
  std::vector<InstanceId> members() const { return cloud.fleet(id).instances; }
  std::size_t alive() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        cloud.instances(), [](const auto& entry) { return !entry.second.shutting_down_at; }));
  }

  FleetId id;
};

TEST(FleetRebalance, LaunchAddsAnInstanceAndDoesNotReplaceTheOldOneAgain) {
  Rebalancing w({});
  const InstanceId at_risk = w.members().at(0);
  w.cloud.recommend_rebalance(at_risk);
  w.run(1min);
  EXPECT_EQ(w.members().size(), 3U);
  EXPECT_EQ(w.cloud.fleet(w.id).fulfilled_capacity, 3);
  w.run(std::chrono::hours{3});
  EXPECT_EQ(w.alive(), 3U) << "the fleet ends no instance by itself";

  w.cloud.interrupt(at_risk, Notice::kGiven, "no-capacity");
  w.run(10min);
  EXPECT_EQ(w.alive(), 2U);
  EXPECT_EQ(w.cloud.fleet(w.id).fulfilled_capacity, 2);
}

TEST(FleetRebalance, LaunchBeforeTerminateEndsTheOldInstanceAfterTheDelay) {
  Rebalancing w({.termination_delay = 10min});
  const InstanceId at_risk = w.members().at(0);
  w.cloud.recommend_rebalance(at_risk);
  w.run(9min);
  EXPECT_EQ(w.alive(), 3U);
  w.run(2min);
  EXPECT_TRUE(w.cloud.instance(at_risk).shutting_down_at);
  w.run(10min);
  EXPECT_EQ(w.members().size(), 2U);
  EXPECT_EQ(w.alive(), 2U);
}

TEST(FleetRebalance, LaunchBeforeTerminateWaitsForTheReplacement) {
  Rebalancing w({.termination_delay = 2min});
  for (const Pool& pool : {kA, kB}) w.market.set_capacity(pool, 0);
  const InstanceId at_risk = w.members().at(0);
  w.cloud.recommend_rebalance(at_risk);
  w.run(30min);
  EXPECT_FALSE(w.cloud.instance(at_risk).shutting_down_at);
  w.market.set_capacity(kA, 5);
  w.run(10min);
  EXPECT_TRUE(w.cloud.instance(at_risk).shutting_down_at);
  EXPECT_EQ(w.alive(), 2U);
}

TEST(FleetRebalance, FleetsWithoutItLaunchNothing) {
  CloudWorld w;
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request(2));
  w.run(1min);
  w.cloud.recommend_rebalance(w.cloud.fleet(id).instances.at(0));
  w.run(10min);
  EXPECT_EQ(w.cloud.fleet(id).instances.size(), 2U);
}

TEST(FleetRebalance, ALoweredTargetStillCountsTheInstanceAtRisk) {
  Rebalancing w({});
  w.cloud.recommend_rebalance(w.members().at(0));
  w.run(1min);
  w.cloud.modify_fleet(w.id, {.target_capacity = 1});
  w.run(10min);
  EXPECT_EQ(w.cloud.fleet(w.id).fulfilled_capacity, 2) << "the target and the instance at risk";
}

}  // namespace
}  // namespace sim::cloud
