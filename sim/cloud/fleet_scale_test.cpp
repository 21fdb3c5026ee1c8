// The work for one instance does not depend on the number of other instances.
#include <gtest/gtest.h>
#include <time.h>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

// Processor time, which measures work independently of the machine's load.
double work() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

struct Work {
  double launch = 0, drain = 0;
};

// Launches a fleet (a diversified one compares all pools), then interrupts all instances.
Work of_fleet(int size, AllocationStrategy strategy) {
  CloudWorld w;
  SpotFleetRequest request = w.fleet_request(size);
  request.config.strategy = strategy;
  request.config.type = "request";
  Work spent;
  spent.launch -= work();
  const FleetId id = w.cloud.request_spot_fleet(request);
  w.run(5min);
  spent.launch += work();
  EXPECT_EQ(w.cloud.fleet(id).instances.size(), static_cast<std::size_t>(size));
  spent.drain -= work();
  w.cloud.cancel_spot_fleet(id, false);
  for (const Pool& pool : {kA, kB}) w.cloud.reclaim(pool, Cloud::Notice::kGiven, "no-capacity");
  w.run(10min);
  spent.drain += work();
  EXPECT_EQ(w.cloud.fleet(id).state, FleetState::kCancelled);
  EXPECT_TRUE(w.cloud.fleet(id).instances.empty());
  return spent;
}

// Ten times the instances need somewhat more than ten times the work, not a hundred times.
TEST(FleetScale, WorkGrowsAsTheFleetDoes) {
  constexpr int kSmall = 200, kTimes = 10;
  of_fleet(kSmall, AllocationStrategy::kDiversified);  // warms up
  const Work small = of_fleet(kSmall, AllocationStrategy::kDiversified),
             large = of_fleet(kSmall * kTimes, AllocationStrategy::kDiversified);
  EXPECT_LT(large.launch / small.launch, 3 * kTimes);
  EXPECT_LT(large.drain / small.drain, 3 * kTimes);
}

TEST(FleetScale, ALargeFleetIsLaunchedInBatches) {
  CloudWorld w;
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request(2100));
  w.run(2s);
  EXPECT_EQ(w.cloud.fleet(id).instances.size(), 1000u);
  w.run(1s);
  EXPECT_EQ(w.cloud.fleet(id).instances.size(), 2000u);
  w.run(1s);
  EXPECT_EQ(w.cloud.fleet(id).instances.size(), 2100u);
}

TEST(FleetScale, InstancesStayInTheOrderOfTheirLaunchAfterLosses) {
  CloudWorld w;
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request(4));
  w.run(2s);
  std::vector<InstanceId> expected = w.cloud.fleet(id).instances;
  w.cloud.terminate_instances({expected[1], expected[2]});
  for (const Pool& pool : {kA, kB}) w.market.set_capacity(pool, 0);
  w.run(5s);  // until the fleet notices
  expected.erase(expected.begin() + 1, expected.begin() + 3);
  EXPECT_EQ(w.cloud.fleet(id).instances, expected);
  EXPECT_EQ(w.cloud.fleets().at(id).instances, expected);
}

// Waiting direct requests cost nothing for running instances, and are tried in their order.
TEST(FleetScale, RequestsThatWaitAreTriedInTheirOrder) {
  CloudWorld w;
  w.market.set_capacity(kB, 1);
  const auto ids = w.cloud.request_spot_instances(
      {.instance_type = "p3.2xlarge", .availability_zone = "us-west-2b"}, 3, "one-time");
  w.run(10s);
  const auto active = [&] {
    std::string states;
    for (const SpotRequestId& id : ids)
      states += w.request(id).state == SpotRequestState::kActive ? '+' : '-';
    return states;
  };
  EXPECT_EQ(active(), "+--");
  w.market.set_capacity(kB, 2);
  w.run(10min);
  EXPECT_EQ(active(), "++-");
}

}  // namespace
}  // namespace sim::cloud
