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

}  // namespace
}  // namespace sim::cloud
