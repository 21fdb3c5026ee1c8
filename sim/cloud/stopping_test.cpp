// Instances that stop and start again, by the customer, by themselves and by an interruption.
#include <gtest/gtest.h>

#include "sim/cloud/stopping_world_for_test.h"

namespace sim::cloud {
namespace {

struct World : StoppingWorld {
  InstanceId stopped_one() {
    const InstanceId id = on_demand();
    cloud.stop_instances({id});
    run(60s);
    return id;
  }
  // A spot instance of a persistent request that stops at an interruption.
  SpotRequestId stopping_spot() {
    const auto id = cloud.request_spot_instances({.instance_type = kB.instance_type,
                                                  .availability_zone = kB.availability_zone,
                                                  .stops_when_interrupted = true},
                                                 1, "persistent");
    run(60s);
    return id.at(0);
  }
};

TEST(StoppedInstances, StartAgainOnTheSameDisks) {
  World w;
  const InstanceId id = w.on_demand();
  const VolumeId volume = w.volume();
  w.cloud.attach_volume(volume, id, "/dev/sdf");
  w.run(10s);
  const auto root = *w.cloud.attached_to(id).begin();
  w.cloud.stop_instances({id});
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kStopping);
  EXPECT_EQ(w.cloud.instance(id).state_reason_code, "Client.UserInitiatedShutdown");
  w.run(60s);
  EXPECT_EQ(w.path_of(id), kUntilStopped);
  EXPECT_TRUE(w.host.plugged.empty());
  EXPECT_EQ(w.cloud.volume(volume).attachment->state, AttachmentState::kAttached);

  w.cloud.start_instances({id});
  EXPECT_EQ(w.cloud.instance(id).state_reason_code, "");
  w.run(60s);
  EXPECT_EQ(w.path_of(id), std::string(kUntilStopped) + " pending running");
  EXPECT_EQ(w.host.calls.back(), "start again " + id.value);
  EXPECT_EQ(w.host.plugged.at(volume), "/dev/sdf");
  EXPECT_TRUE(w.cloud.attached_to(id).contains(root));
}

TEST(StoppedInstances, CostNothingAndEachRunCostsItsTime) {
  World w;
  const InstanceId id = w.on_demand("us-west-2b", 20);  // it runs now
  w.run(1h);
  w.cloud.stop_instances({id});
  const Usd first = w.cost_of_instances();
  w.run(10h);
  EXPECT_EQ(w.cost_of_instances(), first);
  EXPECT_FALSE(w.cloud.anything_running());
  w.cloud.start_instances({id});
  w.run(20s + 1h);
  w.cloud.terminate_instances({id});
  EXPECT_EQ(w.cost_of_instances(), first + first);
  w.run(2min);
  EXPECT_EQ(w.path_of(id),
            std::string(kUntilStopped) + " pending running shutting-down terminated");
  w.cloud.close_books();
  EXPECT_EQ(w.cost_of_instances(), first + first);
}

TEST(StoppedInstances, NeedCapacityToStart) {
  World w;
  const InstanceId id = w.stopped_one();
  w.market.set_on_demand_capacity({"m4.xlarge", "us-west-2b"}, 0);
  EXPECT_EQ(w.refusal([&] { w.cloud.start_instances({id}); }), "InsufficientInstanceCapacity");
  w.market.set_on_demand_capacity({"m4.xlarge", "us-west-2b"}, 1);
  w.cloud.start_instances({id});
  EXPECT_EQ(w.refusal([&] { w.on_demand(); }), "InsufficientInstanceCapacity");
}

TEST(StoppedInstances, KeepTheirPrivateAddressOnly) {
  World w;
  const InstanceId id = w.on_demand();
  const auto& interfaces = w.cloud.network().interfaces;
  const auto address = interfaces.of(id.value)->private_ip;
  ASSERT_TRUE(interfaces.of(id.value)->public_ip);
  w.cloud.stop_instances({id});
  w.run(60s);
  EXPECT_FALSE(interfaces.of(id.value)->public_ip);
  EXPECT_EQ(interfaces.of(id.value)->private_ip, address);
  w.cloud.start_instances({id});
  EXPECT_TRUE(interfaces.of(id.value)->public_ip);
}

TEST(StoppedInstances, AreRefusedInOtherStates) {
  World w;
  const InstanceId id = w.on_demand("us-west-2b", 0);
  EXPECT_EQ(w.refusal([&] { w.cloud.stop_instances({id}); }), "IncorrectInstanceState")
      << "pending";
  w.run(60s);
  w.cloud.start_instances({id});  // it runs already
  w.cloud.stop_instances({id});
  EXPECT_EQ(w.refusal([&] { w.cloud.start_instances({id}); }), "IncorrectInstanceState")
      << "stopping";
  w.cloud.stop_instances({id});
  w.run(60s);
  w.cloud.stop_instances({id});
  EXPECT_EQ(w.path_of(id), kUntilStopped);
  w.cloud.terminate_instances({id});
  w.run(60s);
  EXPECT_EQ(w.path_of(id), std::string(kUntilStopped) + " terminated");
  for (const auto action : {&Cloud::stop_instances, &Cloud::start_instances})
    EXPECT_EQ(w.refusal([&] { (w.cloud.*action)({id}); }), "IncorrectInstanceState");
  EXPECT_EQ(w.refusal([&] {
    w.cloud.stop_instances({id, InstanceId{"i-0123"}});
  }),
            "InvalidInstanceID.NotFound");
}

TEST(StoppedInstances, GiveTheirVolumesToOthersAndTakeNewOnes) {
  World w;
  const InstanceId id = w.stopped_one();
  const VolumeId volume = w.volume();
  w.cloud.attach_volume(volume, id, "/dev/sdf");
  w.run(10s);
  EXPECT_EQ(w.cloud.volume(volume).attachment->state, AttachmentState::kAttached);
  EXPECT_TRUE(w.host.plugged.empty());
  w.cloud.start_instances({id});
  w.run(60s);
  EXPECT_TRUE(w.host.plugged.contains(volume));
  w.cloud.stop_instances({id});
  w.run(60s);
  w.cloud.detach_volume(volume, id, false);
  w.run(10s);
  EXPECT_EQ(w.cloud.volume(volume).state, VolumeState::kAvailable);
}

TEST(StoppedInstances, MayEndWhileTheyStop) {
  World w;
  const InstanceId id = w.on_demand();
  w.cloud.stop_instances({id});
  w.run(5s);
  w.cloud.terminate_instances({id});
  w.run(60s);
  EXPECT_EQ(w.path_of(id), "pending running stopping shutting-down terminated");
}

TEST(StoppedInstances, OfWhichTheSystemNeverStartedBootWhenTheyStart) {
  World w;
  const InstanceId id = w.on_demand("us-west-2b", 25);  // running for 5 s; it boots for 30 s
  w.cloud.stop_instances({id});
  w.run(60s);
  w.cloud.start_instances({id});
  w.run(60s);
  EXPECT_EQ(w.host.calls.back(), "boot " + id.value);
}

TEST(StoppedInstances, AreThoseThatPowerOffIfTheyWereLaunchedSo) {
  World w;
  const InstanceId id = w.on_demand(), other = w.on_demand();
  w.cloud.set_shutdown_behavior(id, true);
  w.cloud.guest_powered_off(id);
  w.cloud.guest_powered_off(other);
  w.run(60s);
  EXPECT_EQ(w.path_of(id), kUntilStopped);
  EXPECT_EQ(w.cloud.instance(id).state_reason_code, "Client.InstanceInitiatedShutdown");
  EXPECT_EQ(w.cloud.instance(other).state, InstanceState::kTerminated);
}

TEST(StoppedSpotInstances, NeedAPersistentRequest) {
  World w;
  const SpotRequestId once = w.spot(), persistent = w.spot(kB, "persistent");
  EXPECT_EQ(w.refusal([&] { w.cloud.stop_instances({w.request(once).instance}); }),
            "UnsupportedOperation");
  EXPECT_EQ(w.refusal([&] { w.cloud.set_shutdown_behavior(w.request(once).instance, true); }),
            "UnsupportedOperation");
  const InstanceId id = w.request(persistent).instance;
  w.cloud.stop_instances({id});
  w.run(10min);
  EXPECT_EQ(w.path_of(id), kUntilStopped) << "EC2 does not start what its user has stopped";
  EXPECT_EQ(w.request(persistent).status_code, "instance-stopped-by-user");
  w.market.set_capacity(kB, 1);  // the other instance has it
  EXPECT_EQ(w.refusal([&] { w.cloud.start_instances({id}); }), "InsufficientInstanceCapacity");
  w.market.set_capacity(kB, 2);
  w.cloud.start_instances({id});
  w.run(60s);
  EXPECT_EQ(w.path("spot-request.state", persistent.value), "open active disabled active");
  EXPECT_EQ(w.request(persistent).status_code, "fulfilled");
}

TEST(StoppedSpotInstances, StartAgainWhenThereIsCapacity) {
  World w;
  const SpotRequestId request = w.stopping_spot();
  const InstanceId id = w.request(request).instance;
  w.market.set_capacity(kB, 0);
  w.cloud.interrupt(id, Cloud::Notice::kGiven, "no-capacity");
  EXPECT_EQ(w.request(request).status_code, "marked-for-stop");
  w.run(5min);
  EXPECT_EQ(w.path_of(id), kUntilStopped);
  EXPECT_EQ(w.request(request).status_code, "instance-stopped-no-capacity");
  EXPECT_EQ(w.of_kind("instance.notice").at(0).fields.at("action"), "stop");
  EXPECT_EQ(w.refusal([&] { w.cloud.start_instances({id}); }), "IncorrectSpotRequestState");
  w.run(1h);
  EXPECT_EQ(w.path_of(id), kUntilStopped);
  EXPECT_TRUE(w.cloud.anything_running()) << "EC2 starts it again";
  w.market.set_capacity(kB, 1);
  w.run(2min);
  EXPECT_EQ(w.path_of(id), std::string(kUntilStopped) + " pending running");
  EXPECT_FALSE(w.cloud.instance(id).interruption_notice_at) << "the notice is over";
  EXPECT_EQ(w.path("spot-request.status", request.value, "code"),
            "pending-evaluation pending-fulfillment fulfilled marked-for-stop "
            "instance-stopped-no-capacity fulfilled");
}

TEST(StoppedSpotInstances, LoseTheirPowerAtAnInterruptionWithoutNotice) {
  World w;
  const InstanceId id = w.request(w.stopping_spot()).instance;
  w.market.set_capacity(kB, 0);
  w.cloud.interrupt(id, Cloud::Notice::kNone, "no-capacity");
  EXPECT_EQ(w.host.calls.back(), "cut power of " + id.value);
  w.run(5min);
  EXPECT_EQ(w.path_of(id), kUntilStopped);
}

TEST(StoppedSpotInstances, NeedNoOtherAddressToStartAgain) {
  World w;
  auto& network = w.cloud.network();
  const std::string vpc = network.create_vpc("10.0.0.0/16", "default").id;
  LaunchSpec spec{.instance_type = kB.instance_type,
                  .availability_zone = kB.availability_zone,
                  .subnet_id = network.create_subnet(vpc, "10.0.0.0/28", "us-west-2b").id,
                  .stops_when_interrupted = true};
  const SpotRequestId request = w.cloud.request_spot_instances(spec, 1, "persistent").at(0);
  w.run(60s);
  const InstanceId id = w.request(request).instance;
  w.market.set_capacity(kB, 0);
  w.cloud.interrupt(id, Cloud::Notice::kGiven, "no-capacity");
  w.run(5min);
  spec.stops_when_interrupted = false;
  w.cloud.run_instances(spec, 10);  // with the one that has stopped, they have all addresses
  w.market.set_capacity(kB, 1);
  w.run(2min);
  EXPECT_EQ(w.path_of(id), std::string(kUntilStopped) + " pending running");
}

TEST(StoppedSpotInstances, EndWithTheirRequest) {
  World w;
  const SpotRequestId request = w.stopping_spot();
  const InstanceId id = w.request(request).instance;
  w.market.set_capacity(kB, 0);
  w.cloud.interrupt(id, Cloud::Notice::kGiven, "no-capacity");
  w.run(5min);
  w.cloud.cancel_spot_request(request);
  EXPECT_FALSE(w.cloud.anything_running());
  w.market.set_capacity(kB, 1);
  w.run(1h);
  EXPECT_EQ(w.path_of(id), std::string(kUntilStopped) + " terminated");
  EXPECT_EQ(w.path("spot-request.state", request.value), "open active disabled cancelled");
}

// A fleet of one spot instance that stops at an interruption, and has been interrupted.
struct StoppedFleet : World {
  StoppedFleet() {
    SpotFleetRequest request = fleet_request();
    request.config.launch_specs = {{.instance_type = kB.instance_type,
                                    .availability_zone = kB.availability_zone,
                                    .stops_when_interrupted = true}};
    fleet = cloud.request_spot_fleet(request);
    run(60s);
    id = cloud.fleet(fleet).instances.at(0);
    market.set_capacity(kB, 0);
    cloud.interrupt(id, Cloud::Notice::kGiven, "no-capacity");
    run(5min);
  }
  FleetId fleet;
  InstanceId id;
};

TEST(StoppedSpotInstances, OfAFleetStartAgainWhenThereIsCapacity) {
  StoppedFleet w;
  EXPECT_EQ(w.path_of(w.id), kUntilStopped);
  EXPECT_EQ(w.cloud.fleet(w.fleet).fulfilled_capacity, 1);
  EXPECT_EQ(w.refusal([&] { w.cloud.start_instances({w.id}); }), "IncorrectSpotRequestState")
      << "only EC2 starts it again";
  w.market.set_capacity(kB, 2);
  w.run(2min);
  EXPECT_EQ(w.path_of(w.id), std::string(kUntilStopped) + " pending running");
  EXPECT_EQ(w.cloud.fleet(w.fleet).instances, std::vector<InstanceId>{w.id});
  EXPECT_EQ(w.cloud.instances().size(), 1U);
}

TEST(StoppedSpotInstances, OfAFleetAreReplacedWhenTheyEnd) {
  StoppedFleet w;
  w.cloud.terminate_instances({w.id});
  w.run(1min);
  EXPECT_EQ(w.cloud.fleet(w.fleet).fulfilled_capacity, 0);
  w.market.set_capacity(kB, 1);
  w.run(3min);
  EXPECT_EQ(w.path_of(w.id), std::string(kUntilStopped) + " terminated");
  ASSERT_EQ(w.cloud.fleet(w.fleet).instances.size(), 1U);
  EXPECT_NE(w.cloud.fleet(w.fleet).instances[0], w.id);
}

TEST(StoppedSpotInstances, OfAFleetEndWithIt) {
  StoppedFleet w;
  w.cloud.cancel_spot_fleet(w.fleet, true);
  w.market.set_capacity(kB, 1);
  w.run(1h);
  EXPECT_EQ(w.path_of(w.id), std::string(kUntilStopped) + " terminated");
  EXPECT_EQ(w.cloud.fleet(w.fleet).state, FleetState::kCancelled);
  EXPECT_EQ(w.cloud.instances().size(), 1U);
}

}  // namespace
}  // namespace sim::cloud
