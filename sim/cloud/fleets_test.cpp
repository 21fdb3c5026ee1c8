#include <gtest/gtest.h>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

std::vector<std::string> zones(const CloudWorld& w, const FleetId& id) {
  std::vector<std::string> result;
  for (const InstanceId& instance : w.cloud.fleet(id).instances)
    result.push_back(w.cloud.instance(instance).spec.availability_zone);
  return result;
}

std::vector<std::string> history(const CloudWorld& w, const FleetId& id) {
  std::vector<std::string> result;
  for (const FleetHistoryRecord& record : w.cloud.fleet(id).history)
    result.push_back(record.event_sub_type);
  return result;
}

using Names = std::vector<std::string>;

TEST(Fleets, BecomeActiveAndLaunchInTheCheapestPool) {
  CloudWorld w;
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request());
  EXPECT_EQ(w.cloud.fleet(id).state, FleetState::kSubmitted);
  EXPECT_EQ(w.cloud.fleet(id).launch_specs.size(), 2u) << "one pool for each zone listed";
  w.run(2s);
  EXPECT_EQ(w.cloud.fleet(id).state, FleetState::kActive);
  EXPECT_EQ(zones(w, id), Names{"us-west-2b"});
  EXPECT_EQ(w.cloud.fleet(id).fulfilled_capacity, 1);
  EXPECT_EQ(history(w, id), (Names{"submitted", "active", "launched"}));

  const Instance& instance = w.cloud.instance(w.cloud.fleet(id).instances.at(0));
  EXPECT_EQ(instance.tags.at("aws:ec2spot:fleet-request-id"), id.value);
  EXPECT_EQ(w.request(instance.spot_request).fleet, id);
  EXPECT_EQ(w.path("spot-request.status", instance.spot_request.value, "code"),
            "pending-evaluation pending-fulfillment fulfilled");
}

TEST(Fleets, ComparePricesByUnitOfCapacity) {
  CloudWorld w;
  SpotFleetRequest request = w.fleet_request(4);
  request.config.launch_specs = {
      {.instance_type = "p2.xlarge", .availability_zone = "us-west-2c", .weighted_capacity = 1},
      {.instance_type = "p3.2xlarge", .availability_zone = "us-west-2b", .weighted_capacity = 4}};
  const FleetId id = w.cloud.request_spot_fleet(request);  // 0.27 and 0.225 a unit
  w.run(2s);
  EXPECT_EQ(zones(w, id), Names{"us-west-2b"});
  EXPECT_EQ(w.cloud.fleet(id).fulfilled_capacity, 4);
}

TEST(Fleets, MaximumPriceIsForAUnitOfCapacity) {
  CloudWorld w;
  SpotFleetRequest request = w.fleet_request(4);
  request.config.launch_specs = {{.instance_type = "p3.2xlarge",
                                  .availability_zone = "us-west-2b",
                                  .max_price = usd("0.25"),
                                  .weighted_capacity = 4}};
  const FleetId id = w.cloud.request_spot_fleet(request);  // 0.225 a unit, 0.9 an instance
  w.run(2s);
  EXPECT_EQ(zones(w, id), Names{"us-west-2b"});
}

TEST(Fleets, WithFractionalWeightsMeetTheirTargetExactly) {
  CloudWorld w;
  SpotFleetRequest request = w.fleet_request(1);
  request.config.launch_specs[0].weighted_capacity = 0.1;
  const FleetId id = w.cloud.request_spot_fleet(request);
  w.run(2s);
  EXPECT_EQ(w.cloud.fleet(id).instances.size(), 10u);
}

TEST(Fleets, DiversifiedSpreadOverPools) {
  CloudWorld w;
  SpotFleetRequest request = w.fleet_request(4);
  request.config.strategy = AllocationStrategy::kDiversified;
  const FleetId id = w.cloud.request_spot_fleet(request);
  w.run(2s);
  EXPECT_EQ(zones(w, id), (Names{"us-west-2b", "us-west-2a", "us-west-2b", "us-west-2a"}));
}

TEST(Fleets, OfTheLowestPriceSpreadOverTheirCheapestPools) {
  CloudWorld w;
  SpotFleetRequest request = w.fleet_request(4);
  request.config.pools = 2;
  const FleetId id = w.cloud.request_spot_fleet(request);
  w.run(2s);
  EXPECT_EQ(zones(w, id), (Names{"us-west-2b", "us-west-2a", "us-west-2b", "us-west-2a"}));
  w.market.set_capacity(kB, 0);  // it takes what is left
  w.cloud.modify_fleet(id, {.target_capacity = 6});
  w.run(2s);
  EXPECT_EQ(w.cloud.fleet(id).instances.size(), 6u);
  EXPECT_EQ(zones(w, id).back(), "us-west-2a");
}

TEST(Fleets, CapacityOptimizedTakeTheDeepestPool) {
  CloudWorld w;
  w.market.set_capacity(kA, 3);
  w.market.set_capacity(kB, 2);
  SpotFleetRequest request = w.fleet_request(2);
  request.config.strategy = AllocationStrategy::kCapacityOptimized;
  const FleetId id = w.cloud.request_spot_fleet(request);
  w.run(2s);
  EXPECT_EQ(zones(w, id), (Names{"us-west-2a", "us-west-2b"}));  // 3 and 2, then 2 and 2 at 0.9
}

TEST(Fleets, PriceCapacityOptimizedTakeTheCheapestOfTheDeepPools) {
  CloudWorld w;
  w.market.set_capacity(kA, 10);
  w.market.set_capacity(kB, 8);  // the cheaper one
  SpotFleetRequest request = w.fleet_request(3);
  request.config.strategy = AllocationStrategy::kPriceCapacityOptimized;
  const FleetId id = w.cloud.request_spot_fleet(request);
  w.run(2s);
  // 8 of 10 counts as about as deep; 7 of 10 does not; 7 of 9 does not.
  EXPECT_EQ(zones(w, id), (Names{"us-west-2b", "us-west-2a", "us-west-2a"}));
}

TEST(Fleets, CapacityOptimizedPrioritizedTakeTheFirstOfTheDeepPools) {
  CloudWorld w;
  w.market.set_capacity(kA, 8);
  w.market.set_capacity(kB, 10);  // the cheaper one
  SpotFleetRequest request = w.fleet_request(3);
  request.config.strategy = AllocationStrategy::kCapacityOptimizedPrioritized;
  LaunchSpec first = request.config.launch_specs.at(0);
  first.availability_zone = kA.availability_zone;
  first.priority = 1;
  LaunchSpec last = first;  // no priority is the lowest
  last.availability_zone = kB.availability_zone;
  last.priority.reset();
  request.config.launch_specs = {last, first};
  const FleetId id = w.cloud.request_spot_fleet(request);
  w.run(2s);
  // 8 of 10 counts as about as deep; 7 of 10 does not; 7 of 9 does not.
  EXPECT_EQ(zones(w, id), (Names{"us-west-2a", "us-west-2b", "us-west-2b"}));
}

TEST(Fleets, OverflowIntoTheNextPool) {
  CloudWorld w;
  w.market.set_capacity(kB, 1);
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request(2));
  w.run(2s);
  EXPECT_EQ(zones(w, id), (Names{"us-west-2b", "us-west-2a"}));
}

TEST(Fleets, ReplaceAnInterruptedInstanceWhereThereIsCapacity) {
  CloudWorld w;
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request());
  w.run(1min);
  const InstanceId lost = w.cloud.fleet(id).instances.at(0);
  w.cloud.interrupt(lost, Cloud::Notice::kGiven, "no-capacity");
  w.market.set_capacity(kB, 0);
  w.run(2min);
  EXPECT_EQ(w.cloud.instance(lost).state, InstanceState::kShuttingDown);
  EXPECT_EQ(w.cloud.fleet(id).instances, std::vector{lost}) << "it has not noticed yet";
  EXPECT_EQ(w.cloud.fleet(id).fulfilled_capacity, 1);
  w.run(5s);
  EXPECT_EQ(zones(w, id), Names{"us-west-2a"});
  EXPECT_EQ(w.cloud.fleet(id).fulfilled_capacity, 1);
  EXPECT_EQ(history(w, id), (Names{"submitted", "active", "launched", "termination_notified",
                                   "terminated", "launched"}));
}

TEST(Fleets, ReplaceWhatTheUserTerminates) {
  CloudWorld w;
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request());
  w.run(1min);
  const InstanceId lost = w.cloud.fleet(id).instances.at(0);
  w.cloud.terminate_instances({lost});
  w.run(1min);
  ASSERT_EQ(w.cloud.fleet(id).instances.size(), 1u);
  EXPECT_NE(w.cloud.fleet(id).instances[0], lost);
}

TEST(Fleets, ShownAsTheyWereStayAsTheyAre) {
  CloudWorld w;
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request());
  w.run(60s);
  const InstanceId first = w.cloud.fleet(id).instances.at(0);
  const auto past = w.cloud.copy_records();
  w.cloud.terminate_instances({first});
  w.run(10s);
  w.cloud.show(past.get());
  EXPECT_EQ(w.cloud.fleet(id).instances, std::vector{first});
  EXPECT_EQ(w.cloud.fleets().at(id).instances, std::vector{first});
  EXPECT_FALSE(w.cloud.instance(first).shutting_down_at);
  w.cloud.show(nullptr);
  ASSERT_EQ(w.cloud.fleet(id).instances.size(), 1U);
  EXPECT_NE(w.cloud.fleet(id).instances.at(0), first) << "the fleet has replaced it";
}

TEST(Fleets, OfTypeRequestReplaceNothing) {
  CloudWorld w;
  SpotFleetRequest request = w.fleet_request(2);
  request.config.type = "request";
  const FleetId id = w.cloud.request_spot_fleet(request);
  w.run(1min);
  w.cloud.terminate_instances(w.cloud.fleet(id).instances);
  EXPECT_TRUE(w.cloud.anything_running());
  w.run(1h);
  EXPECT_TRUE(w.cloud.fleet(id).instances.empty());
  EXPECT_FALSE(w.cloud.anything_running());
}

TEST(Fleets, WithoutCapacityWaitWithoutEventsAndTryAgainWhenThereIsSome) {
  CloudWorld w;
  w.market.set_capacity(kA, 0);
  w.market.set_capacity(kB, 0);
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request());
  w.run(1min);
  const auto executed = w.simulation.executed();
  w.run(10h);
  EXPECT_EQ(w.simulation.executed(), executed);
  EXPECT_EQ(history(w, id),
            (Names{"submitted", "active", "launchSpecTemporarilyBlacklisted",
                   "launchSpecTemporarilyBlacklisted", "allLaunchSpecsTemporarilyBlacklisted"}));
  EXPECT_EQ(w.cloud.fleet(id).history.back().event_type, "error");
  EXPECT_TRUE(w.cloud.fleet(id).stuck);
  EXPECT_TRUE(w.cloud.anything_running()) << "it may still launch";

  w.market.set_capacity(kA, 1);  // at 10 h 1 min; its tries are at 2 s and every 60 s from there
  w.run(1min);
  EXPECT_EQ(w.cloud.instance(w.cloud.fleet(id).instances.at(0)).launched_at,
            kStart + 10h + 1min + 2s);
  EXPECT_FALSE(w.cloud.fleet(id).stuck);
}

TEST(Fleets, WithATooLowPriceReportTheUnusableSpec) {
  market::PriceHistory prices = default_prices();
  prices.pools[kA] = points({{0s, "0.918"}, {1h, "0.3"}});
  CloudWorld w{prices};
  SpotFleetRequest request = w.fleet_request();
  request.config.max_price = usd("0.5");
  request.config.launch_specs.at(0).image_id = "ami-1";
  const FleetId id = w.cloud.request_spot_fleet(request);
  w.run(30min);
  EXPECT_EQ(history(w, id), (Names{"submitted", "active", "launchSpecUnusable",
                                   "launchSpecUnusable", "fleetProgressHalted"}));
  EXPECT_EQ(w.cloud.fleet(id).history.at(2).description,
            "p3.2xlarge, ami-1, Linux/UNIX, us-west-2a, Spot price in either "
            "SpotFleetRequestConfigData or SpotFleetLaunchSpecification or LaunchTemplate or "
            "LaunchTemplateOverrides is less than Spot market price $0.9180");
  w.run(31min);
  EXPECT_EQ(zones(w, id), Names{"us-west-2a"});
  EXPECT_EQ(w.cloud.instance(w.cloud.fleet(id).instances[0]).spec.max_price, usd("0.5"));
}

TEST(Fleets, CancelledWithTerminationEndWhenTheirInstancesAreGone) {
  CloudWorld w;
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request(2));
  w.run(1min);
  const FleetCancellation result = w.cloud.cancel_spot_fleet(id, true);
  EXPECT_EQ(result.before, FleetState::kActive);
  EXPECT_EQ(result.after, FleetState::kCancelledTerminating);
  w.run(29s);
  EXPECT_EQ(w.cloud.fleet(id).state, FleetState::kCancelledTerminating);
  w.run(1s);
  EXPECT_EQ(w.cloud.fleet(id).state, FleetState::kCancelled);
  EXPECT_FALSE(w.cloud.anything_running());
  w.run(1h);
  EXPECT_EQ(w.cloud.instances().size(), 2u);
  EXPECT_EQ(w.refusal([&] { w.cloud.cancel_spot_fleet(id, true); }),
            "fleetRequestNotInCancellableState");
}

// moto's test_delete_fleet, which was verified against AWS, does so with an EC2 fleet.
TEST(Fleets, CancelledWithoutTerminationCanEndTheirInstancesLater) {
  CloudWorld w;
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request(2));
  w.run(1min);
  w.cloud.cancel_spot_fleet(id, false);
  EXPECT_EQ(w.refusal([&] { w.cloud.cancel_spot_fleet(id, false); }),
            "fleetRequestNotInCancellableState");
  const FleetCancellation result = w.cloud.cancel_spot_fleet(id, true);
  EXPECT_EQ(result.before, FleetState::kCancelledRunning);
  EXPECT_EQ(result.after, FleetState::kCancelledTerminating);
  w.run(1min);
  EXPECT_EQ(w.cloud.fleet(id).state, FleetState::kCancelled);
  EXPECT_FALSE(w.cloud.anything_running());
}

TEST(Fleets, CancelledWithoutTerminationKeepTheirInstancesButReplaceNone) {
  CloudWorld w;
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request());
  w.run(1min);
  EXPECT_EQ(w.cloud.cancel_spot_fleet(id, false).after, FleetState::kCancelledRunning);
  w.run(1h);
  EXPECT_EQ(w.cloud.fleet(id).state, FleetState::kCancelledRunning);
  w.cloud.interrupt(w.cloud.fleet(id).instances.at(0), Cloud::Notice::kGiven, "no-capacity");
  w.run(1h);
  EXPECT_EQ(w.path("fleet.state", id.value), "submitted active cancelled_running cancelled");
  EXPECT_EQ(w.cloud.instances().size(), 1u);
}

TEST(Fleets, ExpiredOnesReportItAndKeepOrEndTheirInstances) {
  for (const bool terminate : {false, true}) {
    CloudWorld w;
    SpotFleetRequest request = w.fleet_request();
    request.config.terminate_instances_with_expiration = terminate;
    const FleetId id = w.cloud.request_spot_fleet(request);
    w.run(1min);
    w.cloud.expire_spot_fleet(id);
    w.cloud.expire_spot_fleet(id);
    w.run(1h);
    Names expected{"submitted", "active", "launched", "expired"};
    expected.push_back(terminate ? "cancelled_terminating" : "cancelled_running");
    if (terminate) expected.insert(expected.end(), {"terminated", "cancelled"});
    EXPECT_EQ(history(w, id), expected);
  }
}

TEST(Fleets, NoticeSeveralLossesAtOnce) {
  CloudWorld w;
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request(3));
  w.run(1min);
  const std::vector<InstanceId> before = w.cloud.fleet(id).instances;
  w.cloud.terminate_instances({before[0]});
  w.run(4s);
  w.cloud.terminate_instances({before[2]});
  w.run(1s);
  EXPECT_EQ(w.cloud.fleet(id).fulfilled_capacity, 3);
  EXPECT_EQ(w.cloud.fleet(id).instances.size(), 3u);
  EXPECT_EQ(w.cloud.fleet(id).instances.at(0), before[1]);
  EXPECT_EQ(w.cloud.instances().size(), 5u);
}

TEST(Fleets, CancelledBeforeTheyLaunchNeverLaunch) {
  CloudWorld w;
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request());
  w.cloud.cancel_spot_fleet(id, true);
  w.run(1h);
  EXPECT_EQ(w.path("fleet.state", id.value), "submitted cancelled_terminating cancelled");
  EXPECT_TRUE(w.cloud.instances().empty());
}

TEST(Fleets, GrowAndShrinkWhenModified) {
  CloudWorld w;
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request(1));
  w.run(1min);
  const InstanceId oldest = w.cloud.fleet(id).instances.at(0);
  w.cloud.modify_fleet(id, {.target_capacity = 3});
  EXPECT_EQ(w.cloud.fleet(id).state, FleetState::kModifying);
  EXPECT_EQ(w.refusal([&] { w.cloud.modify_fleet(id, {.target_capacity = 2}); }),
            "FleetNotInModifiableState");
  w.run(1min);
  EXPECT_EQ(w.cloud.fleet(id).instances.size(), 3u);
  w.cloud.modify_fleet(id, {.target_capacity = 1});
  w.run(2s);
  EXPECT_EQ(w.cloud.fleet(id).instances, std::vector{oldest}) << "the newest go first";
  EXPECT_EQ(w.cloud.fleet(id).excess, 2);
  w.run(1min);
  EXPECT_EQ(w.cloud.fleet(id).excess, 0);
  EXPECT_EQ(history(w, id),
            (Names{"submitted", "active", "launched", "modify_in_progress", "modify_succeeded",
                   "launched", "launched", "modify_in_progress", "modify_succeeded",
                   "termination_notified", "termination_notified", "terminated", "terminated"}));
  w.cloud.modify_fleet(id, {.target_capacity = 0});
  w.run(1min);
  EXPECT_FALSE(w.cloud.anything_running());
}

TEST(Fleets, AreRefusedWithEc2sCodes) {
  CloudWorld w;
  const auto refused = [&](auto change) {
    SpotFleetRequest request = w.fleet_request();
    change(request.config);
    return w.refusal([&] { w.cloud.request_spot_fleet(request); });
  };
  EXPECT_EQ(refused([](Fleet& f) { f.launch_specs.clear(); }), "InvalidSpotFleetRequestConfig");
  EXPECT_EQ(refused([](Fleet& f) { f.target_capacity = -1; }), "InvalidSpotFleetRequestConfig");
  EXPECT_EQ(refused([](Fleet& f) { f.type = "instant"; }), "InvalidSpotFleetRequestConfig");
  EXPECT_EQ(refused([](Fleet& f) { f.launch_specs[0].weighted_capacity = 0; }),
            "InvalidSpotFleetRequestConfig");
  EXPECT_EQ(refused([](Fleet& f) { f.launch_specs[0].weighted_capacity = 1e-9; }),
            "InvalidSpotFleetRequestConfig")
      << "a billion instances";
  EXPECT_EQ(refused([](Fleet& f) { f.launch_specs[0].availability_zone = "us-east-1a"; }),
            "InvalidParameterValue");
  EXPECT_EQ(refused([](Fleet& f) { f.launch_specs[0].availability_zone = ""; }), "");
  EXPECT_EQ(w.refusal([&] { w.cloud.cancel_spot_fleet({"sfr-0"}, true); }),
            "InvalidSpotFleetRequestId.NotFound");
}

}  // namespace
}  // namespace sim::cloud
