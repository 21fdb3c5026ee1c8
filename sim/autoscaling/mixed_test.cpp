// Mixed instances, capacity rebalance, termination policies.
#include "sim/autoscaling/allocation.h"
#include "sim/autoscaling/termination.h"
#include "sim/autoscaling/world_for_test.h"

namespace sim::autoscaling {
namespace {

// A group with p3.2xlarge and p2.xlarge in all zones. p3 costs 0.9 and 0.918; p2 costs 0.27 in 2c.
Settings mixed(SpotStrategy strategy, int desired, int base = 0, int percent = 0) {
  Settings settings = World::settings(World::on_demand(), desired, 12);
  settings.source.reset();
  settings.mixed = MixedPolicy{.source = World::source(World::on_demand()),
                               .overrides = {{"p3.2xlarge"}, {"p2.xlarge"}},
                               .on_demand_base = base,
                               .on_demand_percent = percent,
                               .spot = strategy};
  settings.places.push_back({"us-west-2c"});
  return settings;
}

std::string what_runs(World& w) {
  std::map<std::string, int> count;
  for (const Member& each : w.groups.group("g").members)
    ++count[each.instance_type +
            (each.lifecycle == cloud::Lifecycle::kSpot ? " spot " : " on-demand ") + each.zone];
  std::string all;
  for (const auto& [what, n] : count)
    all += fmt::format("{}{} {}", all.empty() ? "" : ", ", n, what);
  return all;
}

TEST(AutoscalingMixed, SharesTheCapacityBetweenOnDemandAndSpot) {
  const MixedPolicy policy{
      .source = {}, .overrides = {}, .on_demand_base = 2, .on_demand_percent = 25};
  EXPECT_EQ(on_demand_share(policy, 1), 1);
  EXPECT_EQ(on_demand_share(policy, 2), 2);
  EXPECT_EQ(on_demand_share(policy, 3), 3);
  EXPECT_EQ(on_demand_share(policy, 6), 3);
  EXPECT_EQ(on_demand_share(policy, 7), 4);
}

TEST(AutoscalingMixed, LaunchesTheBaseOnDemandAndTheRestAsSpotInBalancedZones) {
  World w;
  w.make(mixed(SpotStrategy::kLowestPrice, 3, 1));
  w.run(1min);
  EXPECT_EQ(what_runs(w),
            "1 p2.xlarge spot us-west-2c, 1 p3.2xlarge on-demand us-west-2a, 1 p3.2xlarge spot "
            "us-west-2b");
}

TEST(AutoscalingMixed, FollowsItsSpotStrategy) {
  market::PriceHistory history = cloud::default_prices();
  history.pools[{"p2.xlarge", "us-west-2a"}] = cloud::points({{0s, "0.3"}});
  const auto chosen = [&](SpotStrategy strategy) {
    World w(history);
    w.cloud.market().set_capacity(kA, 10);
    w.cloud.market().set_capacity({"p2.xlarge", "us-west-2a"}, 9);
    Settings settings = mixed(strategy, 1);
    settings.places = {{"us-west-2a"}};
    w.make(settings);
    w.run(1min);
    return w.member().instance_type;
  };
  EXPECT_EQ(chosen(SpotStrategy::kLowestPrice), "p2.xlarge");
  EXPECT_EQ(chosen(SpotStrategy::kCapacityOptimized), "p3.2xlarge");
  EXPECT_EQ(chosen(SpotStrategy::kCapacityOptimizedPrioritized), "p3.2xlarge");
  EXPECT_EQ(chosen(SpotStrategy::kPriceCapacityOptimized), "p2.xlarge");
}

TEST(AutoscalingMixed, CountsWeights) {
  World w;
  Settings settings = mixed(SpotStrategy::kLowestPrice, 5);
  settings.mixed->overrides = {{"p3.2xlarge", 4}};
  w.make(settings);
  w.run(1min);
  EXPECT_EQ(w.groups.group("g").capacity(), 8);
  EXPECT_EQ(w.groups.group("g").members.size(), 2u);
}

TEST(AutoscalingRebalance, LaunchesTheReplacementFirst) {
  World w;
  Settings settings = World::settings(World::spot(), 1, 1);
  settings.capacity_rebalance = true;
  w.make(settings);
  w.run(1min);
  const InstanceId old = w.member().id;
  w.cloud.recommend_rebalance(old);
  w.run(10s);
  EXPECT_EQ(w.states(), "InService Pending") << "one more than the maximum, for as long";
  const InstanceId replacement = w.member(1).id;
  w.run(30s);
  EXPECT_EQ(w.states(), "Terminating InService");
  EXPECT_NE(w.last().cause.find("EC2 instance rebalance recommendation"), std::string::npos);
  w.run(2min);
  EXPECT_EQ(w.states(), "InService");
  EXPECT_EQ(w.member().id, replacement);
  EXPECT_EQ(w.groups.activities().size(), 3u);
}

TEST(AutoscalingRebalance, LaunchesOneReplacementWhereTheOldInstanceIsTakenFirst) {
  World w;
  Settings settings = World::settings(World::spot());
  settings.capacity_rebalance = true;
  w.make(settings);
  w.run(1min);
  w.cloud.recommend_rebalance(w.member().id);
  w.run(6s);
  w.cloud.interrupt(w.member().id, cloud::Notice::kNone, "no-capacity");
  w.run(5min);
  EXPECT_EQ(w.states(), "InService");
  EXPECT_EQ(w.of_kind("autoscaling.instance").size(), 2u + 2u + 2u);
}

Group three() {
  Group group;
  group.settings = {.max = 3, .desired = 2};
  for (const char* id : {"i-1", "i-2", "i-3"})
    group.members.push_back({.id = {id},
                             .zone = "a",
                             .source = {.launch_configuration = "lc"},
                             .source_made = kStart,
                             .state = LifecycleState::kInService});
  return group;
}

TEST(AutoscalingTermination, FollowsItsPolicy) {
  const auto goes = [](const std::string& policy) {
    Group group = three();
    group.settings.termination_policies = {policy};
    group.members[1].source_made -= 1h;
    const std::map<std::string, Duration> age{{"i-1", 100min}, {"i-2", 20min}, {"i-3", 59min}};
    return to_terminate(group, kStart,
                        [&](const InstanceId& id) { return kStart - age.at(id.value); })
        ->id.value;
  };
  EXPECT_EQ(goes("OldestInstance"), "i-1");
  EXPECT_EQ(goes("NewestInstance"), "i-2");
  EXPECT_EQ(goes("OldestLaunchConfiguration"), "i-2");
  EXPECT_EQ(goes("ClosestToNextInstanceHour"), "i-3");
  EXPECT_EQ(goes("Default"), "i-2");
}

}  // namespace
}  // namespace sim::autoscaling
