// Launches that name secondary private addresses.
#include "sim/cloud/error.h"
#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

struct AddressWorld : CloudWorld {
  // A launch into a subnet of its own, which has 11 addresses.
  LaunchSpec in_small_subnet() {
    if (subnet.empty()) {
      auto& network = cloud.network();
      const std::string vpc = network.create_vpc("10.0.0.0/16", "default").id;
      subnet = network.create_subnet(vpc, "10.0.0.0/28", "us-west-2b").id;
    }
    return {.instance_type = "p3.2xlarge", .subnet_id = subnet};
  }
  std::string primary_of(const InstanceId& id) const { return cloud.instance(id).private_ip; }

  std::string subnet;
};

TEST(LaunchAddresses, OfARunPassOverNamedSecondaryOnes) {
  AddressWorld w;
  LaunchSpec spec = w.in_small_subnet();
  spec.secondary_ips = {"10.0.0.4"};
  EXPECT_EQ(w.primary_of(w.cloud.run_instances(spec, 1).at(0)), "10.0.0.5");
}

TEST(LaunchAddresses, OfASpotRequestPassOverNamedSecondaryOnes) {
  AddressWorld w;
  LaunchSpec spec = w.in_small_subnet();
  spec.secondary_ips = {"10.0.0.4"};
  const SpotRequestId id = w.cloud.request_spot_instances(spec, 1, "one-time").at(0);
  w.run(10s);
  EXPECT_EQ(w.request(id).status_code, "fulfilled");
  EXPECT_EQ(w.primary_of(w.request(id).instance), "10.0.0.5");
}

TEST(LaunchAddresses, NeedRoomForTheSecondaryOnesToo) {
  AddressWorld w;
  w.cloud.run_instances(w.in_small_subnet(), 9);  // two addresses are left
  LaunchSpec spec = w.in_small_subnet();
  spec.secondary_ips = {"10.0.0.13", "10.0.0.14"};
  EXPECT_EQ(w.refusal([&] { w.cloud.run_instances(spec, 1); }),
            "InsufficientFreeAddressesInSubnet");
  EXPECT_EQ(w.cloud.instances().size(), 9u);
  const SpotRequestId id = w.cloud.request_spot_instances(spec, 1, "one-time").at(0);
  w.run(10s);
  EXPECT_EQ(w.request(id).status_code, "capacity-not-available");
}

// ---- requests that wait for an address

struct WaitsForAddress : testing::Test {
  // The subnet has no address left.
  WaitsForAddress() { instances = w.cloud.run_instances(w.in_small_subnet(), 11); }
  SpotRequestId waiting(const LaunchSpec& spec) {
    const SpotRequestId id = w.cloud.request_spot_instances(spec, 1, "one-time").at(0);
    w.run(10s);
    EXPECT_EQ(w.request(id).status_code, "capacity-not-available");
    return id;
  }
  void expect_fulfilled(const SpotRequestId& id) {
    w.run(w.cloud.config().durations.capacity_retry + 1s);
    EXPECT_EQ(w.request(id).status_code, "fulfilled");
  }
  vpc::Interfaces& interfaces() { return w.cloud.network().interfaces; }

  AddressWorld w;
  std::vector<InstanceId> instances;
};

TEST_F(WaitsForAddress, ARequestStartsWhenAnotherTypesInstanceEnds) {
  LaunchSpec spec = w.in_small_subnet();
  spec.instance_type = "m4.xlarge";
  w.cloud.terminate_instances({instances.at(0)});
  w.run(60s);
  w.cloud.run_instances(spec, 1);
  const SpotRequestId id = waiting(w.in_small_subnet());
  w.cloud.terminate_instances({w.cloud.instances().rbegin()->first});
  expect_fulfilled(id);
}

TEST_F(WaitsForAddress, ARequestStartsWhenASecondaryAddressIsUnassigned) {
  w.cloud.terminate_instances({instances.at(0)});
  w.run(60s);
  const std::string owner = interfaces().of(instances.at(1).value)->id;
  const auto added = interfaces().add_addresses(owner, {}, 1);
  const SpotRequestId id = waiting(w.in_small_subnet());
  interfaces().remove_addresses(owner, {text(added.at(0))});
  expect_fulfilled(id);
}

TEST_F(WaitsForAddress, ARequestStartsWhenAnInterfaceIsDeleted) {
  w.cloud.terminate_instances({instances.at(0)});
  w.run(60s);
  const std::string other = interfaces().create({.subnet = w.subnet, .groups = {}}).id;
  const SpotRequestId id = waiting(w.in_small_subnet());
  w.cloud.network().delete_interface(other);
  expect_fulfilled(id);
}

TEST_F(WaitsForAddress, ARequestStartsWhenItsInterfaceIsDetached) {
  w.cloud.terminate_instances({instances.at(0)});
  w.run(60s);
  const std::string own = interfaces().create({.subnet = w.subnet, .groups = {}}).id;
  LaunchSpec spec{.instance_type = "p3.2xlarge"};
  spec.network_interface = own;
  const SpotRequestId id = w.cloud.request_spot_instances(spec, 1, "one-time").at(0);
  const auto attached = interfaces().attach(own, instances.at(1).value, 1, w.simulation.now());
  w.run(10s);
  EXPECT_EQ(w.request(id).status_code, "capacity-not-available");
  interfaces().detach(attached);
  expect_fulfilled(id);
}

TEST_F(WaitsForAddress, AFleetStartsToo) {
  w.cloud.terminate_instances({instances.at(0)});
  w.run(60s);
  const std::string other = interfaces().create({.subnet = w.subnet, .groups = {}}).id;
  SpotFleetRequest request;
  request.config.target_capacity = 1;
  request.config.launch_specs = {w.in_small_subnet()};
  const FleetId fleet = w.cloud.request_spot_fleet(request);
  w.run(60s);
  EXPECT_TRUE(w.cloud.fleets().at(fleet).instances.empty());
  w.cloud.network().delete_interface(other);
  w.run(w.cloud.config().durations.capacity_retry + 1s);
  EXPECT_EQ(w.cloud.fleets().at(fleet).instances.size(), 1u);
}

}  // namespace
}  // namespace sim::cloud
