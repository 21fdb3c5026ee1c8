// Fleets with a maximum price per hour, which ends their launches below their targets.
#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

// p3.2xlarge in 2b for 0.9 an hour, and 3.06 on demand.
SpotFleetRequest limited(double target, const char* most) {
  SpotFleetRequest request;
  request.config.target_capacity = target;
  request.config.launch_specs = {
      {.instance_type = "p3.2xlarge", .availability_zone = "us-west-2b"}};
  request.config.spot_limits.max_total_price = usd(most);
  return request;
}

TEST(FleetPrices, StopLaunchesBelowTheTarget) {
  CloudWorld w;
  const FleetId exact = w.cloud.request_spot_fleet(limited(5, "2.7"));
  const FleetId less = w.cloud.request_spot_fleet(limited(5, "2.69"));
  w.run(60s);
  EXPECT_EQ(w.cloud.fleet(exact).instances.size(), 3u);
  EXPECT_EQ(w.cloud.fleet(less).instances.size(), 2u);
  EXPECT_TRUE(w.cloud.fleet(less).stuck);
}

TEST(FleetPrices, CountAtTheCurrentSpotPrice) {
  market::PriceHistory history = default_prices();
  history.pools[kB] = points({{0s, "0.9"}, {10min, "0.5"}});
  CloudWorld w(std::move(history));
  const FleetId id = w.cloud.request_spot_fleet(limited(5, "2"));
  w.run(9min);
  EXPECT_EQ(w.cloud.fleet(id).instances.size(), 2u);
  w.run(1min + w.cloud.config().durations.capacity_retry + 1s);
  EXPECT_EQ(w.cloud.fleet(id).instances.size(), 4u);
}

TEST(FleetPrices, LetAFleetReplaceWhatEnds) {
  CloudWorld w;
  const FleetId id = w.cloud.request_spot_fleet(limited(5, "1.8"));
  w.run(60s);
  const InstanceId ended = w.cloud.fleet(id).instances.at(0);
  w.cloud.terminate_instances({ended});
  w.run(10min);
  EXPECT_EQ(w.cloud.fleet(id).instances.size(), 2u);
  EXPECT_NE(w.cloud.fleet(id).instances.at(0), ended);
}

TEST(FleetPrices, OfTheOnDemandPartDoNotHoldUpTheSpotPart) {
  CloudWorld w;
  SpotFleetRequest request = limited(6, "1.8");
  request.config.kind = FleetKind::kEc2Fleet;
  request.config.on_demand_target = 3;
  request.config.on_demand_limits.max_total_price = usd("7");
  const FleetId id = w.cloud.request_spot_fleet(request);
  w.run(60s);
  EXPECT_EQ(w.cloud.fleet(id).fulfilled_on_demand, 2);
  EXPECT_EQ(w.cloud.fleet(id).fulfilled_capacity, 4);
  for (const InstanceId& each : w.cloud.fleet(id).instances)
    if (w.cloud.instance(each).lifecycle == Lifecycle::kOnDemand)
      w.cloud.terminate_instances({each});
  w.run(10min);
  EXPECT_EQ(w.cloud.fleet(id).fulfilled_on_demand, 2) << "replaced";
}

TEST(FleetPrices, HoldForInstantFleetsAndTheirMinimum) {
  CloudWorld w;
  SpotFleetRequest request = limited(4, "2");
  request.config.kind = FleetKind::kEc2Fleet;
  request.config.type = "instant";
  const FleetId two = w.cloud.request_spot_fleet(request);
  EXPECT_EQ(w.cloud.fleet(two).instances.size(), 2u);
  EXPECT_TRUE(w.cloud.fleet(two).errors.empty());
  request.config.spot_limits.single_zone = true;
  request.config.spot_limits.least = 2;
  EXPECT_EQ(w.cloud.fleet(w.cloud.request_spot_fleet(request)).instances.size(), 2u);
  request.config.spot_limits.least = 3;
  EXPECT_TRUE(w.cloud.fleet(w.cloud.request_spot_fleet(request)).instances.empty());
}

}  // namespace
}  // namespace sim::cloud
