// The account's quotas, and on-demand capacity that runs out.
#include "sim/cloud/error.h"
#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

const LaunchSpec kP3InB{.instance_type = "p3.2xlarge", .availability_zone = "us-west-2b"};

std::string message(CloudWorld& w, const LaunchSpec& spec, int count) {
  try {
    w.cloud.run_instances(spec, count);
  } catch (const ApiError& error) {
    return error.what();
  }
  return "";
}

TEST(Limits, OnDemandCapacityRunsOutAndComesBack) {
  CloudWorld w;
  w.market.set_on_demand_capacity(kB, 2);
  EXPECT_EQ(w.refusal([&] { w.cloud.run_instances(kP3InB, 3); }), "InsufficientInstanceCapacity");
  const auto both = w.cloud.run_instances(kP3InB, 1, 5);
  EXPECT_EQ(both.size(), 2u) << "as many as there are";
  EXPECT_EQ(message(w, kP3InB, 1),
            "We currently do not have sufficient p3.2xlarge capacity in the Availability Zone you "
            "requested (us-west-2b). Our system will be working on provisioning additional "
            "capacity. You can currently get p3.2xlarge capacity by not specifying an Availability "
            "Zone in your request or choosing us-west-2a, us-west-2c.");
  const InstanceId elsewhere = w.cloud.run_instances({.instance_type = "p3.2xlarge"}, 1).at(0);
  EXPECT_EQ(w.cloud.instance(elsewhere).spec.availability_zone, "us-west-2a");
  w.cloud.terminate_instances({both.front()});
  EXPECT_EQ(w.cloud.run_instances(kP3InB, 1).size(), 1u) << "a slot is free again";
}

TEST(Limits, OnDemandVcpusAreLimitedForEachGroupOfTypes) {
  CloudWorld w;
  w.market.set_quotas({.on_demand_vcpus = 16});
  EXPECT_EQ(w.cloud.run_instances(kP3InB, 1, 5).size(), 2u) << "8 vCPUs each";
  EXPECT_EQ(w.refusal([&] { w.cloud.run_instances(kP3InB, 1); }), "VcpuLimitExceeded");
  EXPECT_EQ(message(w, kP3InB, 1),
            "You have requested more vCPU capacity than your current vCPU limit of 16 allows for "
            "the instance bucket that the specified instance type belongs to. Please visit "
            "http://aws.amazon.com/contact-us/ec2-request to request an adjustment to this limit.");
  EXPECT_EQ(w.cloud.run_instances({.instance_type = "m4.xlarge"}, 1).size(), 1u)
      << "of another group";
}

TEST(Limits, SpotVcpusCountOpenRequestsAndRunningInstances) {
  CloudWorld w;
  w.market.set_quotas({.spot_vcpus = 16});
  w.market.set_capacity(kB, 1);
  const auto made = w.cloud.request_spot_instances(kP3InB, 2, "one-time");
  w.run(10s);
  EXPECT_EQ(w.request(made[1]).state, SpotRequestState::kOpen);
  EXPECT_EQ(w.refusal([&] { w.cloud.request_spot_instances(kP3InB, 1, "one-time"); }),
            "MaxSpotInstanceCountExceeded");
  w.cloud.cancel_spot_request(made[1]);
  EXPECT_EQ(w.cloud.request_spot_instances(kP3InB, 1, "one-time").size(), 1u);
}

TEST(Limits, SpotRequestsAreLimitedForRunInstances) {
  CloudWorld w;
  w.market.set_quotas({.spot_requests = 1});
  const auto ids = w.cloud.run_spot_instances(kP3InB, 1, 1);
  EXPECT_EQ(w.refusal([&] { w.cloud.run_spot_instances(kP3InB, 1, 1); }),
            "MaxSpotInstanceCountExceeded");
  w.cloud.terminate_instances(ids);
  w.market.set_quotas({.spot_requests = 2});
  EXPECT_EQ(w.cloud.run_spot_instances(kP3InB, 1, 5).size(), 2u) << "as many as the quota allows";
}

TEST(Limits, AFleetTakesTheQuotaOfACancelledRequest) {
  CloudWorld w;
  w.market.set_quotas({.spot_requests = 1});
  w.market.set_capacity(kB, 0);
  const auto open = w.cloud.request_spot_instances(kP3InB, 1, "one-time");
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request(1));
  w.run(1min);
  EXPECT_TRUE(w.cloud.fleet(id).instances.empty());
  w.cloud.cancel_spot_request(open.at(0));
  w.market.set_capacity(kB, 1);
  w.run(5min);
  EXPECT_EQ(w.cloud.fleet(id).instances.size(), 1u);
}

TEST(Limits, AFleetWaitsForItsQuota) {
  CloudWorld w;
  w.market.set_quotas({.spot_vcpus = 8});
  const FleetId id = w.cloud.request_spot_fleet(w.fleet_request(2));
  w.run(1min);
  EXPECT_EQ(w.cloud.fleet(id).instances.size(), 1u);
  w.market.set_quotas({});
  w.run(5min);
  EXPECT_EQ(w.cloud.fleet(id).instances.size(), 2u);
}

}  // namespace
}  // namespace sim::cloud
