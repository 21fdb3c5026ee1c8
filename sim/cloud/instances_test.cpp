#include <gtest/gtest.h>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

LaunchSpec m4(const std::string& zone = "us-west-2b") {
  return {.instance_type = "m4.xlarge", .availability_zone = zone};
}

TEST(Instances, GoFromPendingToRunningToBootedToTerminated) {
  CloudWorld w;
  const InstanceId id = w.cloud.run_instances(m4(), 1).at(0);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kPending);
  w.run(19s);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kPending);
  w.run(1s);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kRunning);
  EXPECT_EQ(w.cloud.instance(id).running_at, kStart + 20s);
  EXPECT_TRUE(w.host.calls.empty());
  w.run(30s);
  EXPECT_EQ(w.host.calls, std::vector<std::string>{"boot " + id.value});

  w.cloud.terminate_instances({id});
  EXPECT_EQ(w.host.calls.back(), "shut down " + id.value);
  w.run(29s);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kShuttingDown);
  w.run(1s);
  EXPECT_EQ(w.cloud.instance(id).terminated_at, kStart + 80s);
  EXPECT_EQ(w.cloud.instance(id).state_reason_code, "Client.UserInitiatedShutdown");
  EXPECT_EQ(w.path("instance.state", id.value), "pending running shutting-down terminated");
}

TEST(Instances, ThatAreProtectedKeepTheOthersOfTheirZone) {
  CloudWorld w;
  const InstanceId held = w.on_demand("us-west-2b"), beside = w.on_demand("us-west-2b"),
                   away = w.on_demand("us-west-2a");
  w.cloud.set_disable_api_termination(held, true);
  EXPECT_THROW(w.cloud.terminate_instances({beside, away, held}), ApiError);
  EXPECT_EQ(w.cloud.instance(held).state, InstanceState::kRunning);
  EXPECT_EQ(w.cloud.instance(beside).state, InstanceState::kRunning);
  EXPECT_EQ(w.cloud.instance(away).state, InstanceState::kShuttingDown);
}

TEST(Instances, ThatAreUpCanBeRebooted) {
  CloudWorld w;
  const InstanceId id = w.cloud.run_instances(m4(), 1).at(0);
  w.run(40s);
  w.cloud.reboot_instances({id});
  EXPECT_TRUE(w.host.calls.empty()) << "it boots";
  w.run(10s);
  w.cloud.reboot_instances({id});
  EXPECT_EQ(w.host.calls.back(), "reboot " + id.value);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kRunning);
  w.cloud.terminate_instances({id});
  w.cloud.reboot_instances({id});
  EXPECT_EQ(w.host.calls.back(), "shut down " + id.value);
  EXPECT_THROW(w.cloud.reboot_instances({{"i-none"}}), ApiError);
}

TEST(Instances, AreTerminatedOnlyWhenTheirMachineIsGone) {
  CloudWorld w;
  const InstanceId id = w.on_demand();
  w.host.hold_machines = true;
  w.cloud.terminate_instances({id});
  w.run(1h);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kShuttingDown);
  w.host.release();
  w.run(0s);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kTerminated);
}

TEST(Instances, TerminatedWhilePendingNeverBoot) {
  CloudWorld w;
  const InstanceId id = w.cloud.run_instances(m4(), 1).at(0);
  w.run(5s);
  w.cloud.terminate_instances({id});
  w.run(1h);
  EXPECT_EQ(w.path("instance.state", id.value), "pending shutting-down terminated");
  EXPECT_TRUE(w.of_kind("instance.boot").empty());
  EXPECT_TRUE(w.cloud.ledger().items().empty());
  EXPECT_FALSE(w.cloud.anything_running());
}

TEST(Instances, TerminatingTwiceIsTerminatingOnce) {
  CloudWorld w;
  const InstanceId id = w.on_demand();
  w.cloud.terminate_instances({id, id});
  w.run(1h);
  w.cloud.terminate_instances({id});
  EXPECT_EQ(w.path("instance.state", id.value), "pending running shutting-down terminated");
}

TEST(Instances, AreAllTerminatedOrNoneWhenOneIsUnknown) {
  CloudWorld w;
  const InstanceId id = w.on_demand();
  EXPECT_EQ(w.refusal([&] {
    w.cloud.terminate_instances({id, {"i-0123456789abcdef0"}});
  }),
            "InvalidInstanceID.NotFound");
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kRunning);
}

TEST(Instances, ThatPowerOffThemselvesAreTerminated) {
  CloudWorld w;
  const InstanceId id = w.on_demand();
  w.cloud.guest_powered_off(id);
  w.run(1min);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kTerminated);
  EXPECT_EQ(w.cloud.instance(id).state_reason_code, "Client.InstanceInitiatedShutdown");
}

TEST(Instances, OnDemandDoNotNeedSpotCapacity) {
  CloudWorld w;
  for (const Pool& pool : {kA, kB, kC}) w.market.set_capacity(pool, 0);
  EXPECT_EQ(w.cloud.run_instances({.instance_type = "p3.2xlarge"}, 3).size(), 3u);
}

TEST(Instances, GetZoneSubnetAddressAndTags) {
  CloudWorld w;
  LaunchSpec spec = m4("");
  spec.subnet_id = w.default_subnet("us-west-2c");
  spec.tags = {{"Name", "prepare"}};
  const auto ids = w.cloud.run_instances(spec, 2);
  const Instance &one = w.cloud.instance(ids[0]), &two = w.cloud.instance(ids[1]);
  EXPECT_EQ(one.spec.availability_zone, "us-west-2c");
  EXPECT_EQ(one.tags, spec.tags);
  EXPECT_NE(one.private_ip, two.private_ip);
  const InstanceId anywhere = w.cloud.run_instances(m4(""), 1).at(0);
  EXPECT_EQ(w.cloud.instance(anywhere).spec.subnet_id, w.default_subnet("us-west-2a"));
}

TEST(Instances, OfOneLaunchAreAReservation) {
  CloudWorld w;
  const auto is = [&](const InstanceId& id, const InstanceId& first, int index) {
    const Instance& instance = w.cloud.instance(id);
    return instance.reservation.value == "r-" + first.value.substr(2) &&
           instance.launch_index == index;
  };
  const auto three = w.cloud.run_instances(m4(), 3), one = w.cloud.run_instances(m4(), 1);
  const auto spot = w.cloud.run_spot_instances({.instance_type = "p3.2xlarge"}, 2, 2);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(is(three[static_cast<std::size_t>(i)], three[0], i));
  EXPECT_TRUE(is(one[0], one[0], 0));
  EXPECT_TRUE(is(spot[0], spot[0], 0));
  EXPECT_TRUE(is(spot[1], spot[0], 1));
}

TEST(Instances, ThatFulfilARequestAreReservationsOfTheirOwn) {
  CloudWorld w;
  w.cloud.request_spot_instances({.instance_type = "p3.2xlarge"}, 2, "one-time");
  w.cloud.request_spot_fleet(w.fleet_request(3));
  w.run(60s);
  EXPECT_EQ(w.cloud.instances().size(), 5u);
  for (const auto& [id, instance] : w.cloud.instances()) {
    EXPECT_EQ(instance.reservation.value, "r-" + id.value.substr(2));
    EXPECT_EQ(instance.launch_index, 0);
  }
}

TEST(Instances, AreShownForAnHourAfterTheirEnd) {
  CloudWorld w;
  const InstanceId id = w.on_demand();
  const VolumeId volume = w.volume();
  w.cloud.terminate_instances({id});
  w.run(30s);
  w.run(1h);
  EXPECT_TRUE(w.cloud.shows(w.cloud.instance(id)));
  EXPECT_EQ(&w.cloud.shown(id), &w.cloud.instance(id));
  w.run(Duration{1});
  EXPECT_FALSE(w.cloud.shows(w.cloud.instance(id))) << "the record stays";
  const auto refused = [&](auto&& call) {
    EXPECT_EQ(w.refusal(call), "InvalidInstanceID.NotFound");
  };
  refused([&] { w.cloud.shown(id); });
  refused([&] { w.cloud.terminate_instances({id}); });
  refused([&] { w.cloud.attach_volume(volume, id, "/dev/sdf"); });
  refused([&] { w.cloud.create_tags({id.value}, {{"a", "b"}}); });
  refused([&] { w.cloud.delete_tags({id.value}, {"a"}); });
  refused([&] { w.cloud.shown(InstanceId{"i-0123456789abcdef0"}); });
}

TEST(Instances, AreRefusedWithEc2sCodes) {
  CloudWorld w;
  const auto refused = [&](const LaunchSpec& spec, int count = 1) {
    return w.refusal([&] { w.cloud.run_instances(spec, count); });
  };
  EXPECT_EQ(refused({.instance_type = "p9.huge"}), "InvalidParameterValue");
  EXPECT_EQ(refused(m4("us-west-2z")), "InvalidParameterValue");
  EXPECT_EQ(refused(m4(), 0), "InvalidParameterValue");
  EXPECT_EQ(refused(m4(), 5000), "InstanceLimitExceeded");
  LaunchSpec spec = m4();
  spec.user_data.assign(16 * 1024, 'x');
  EXPECT_EQ(refused(spec), "");
  spec.user_data += 'x';
  EXPECT_EQ(refused(spec), "InvalidParameterValue");
  spec = m4();
  spec.subnet_id = "subnet-1234";
  EXPECT_EQ(refused(spec), "InvalidSubnetID.NotFound");
  spec.subnet_id = w.default_subnet("us-west-2a");
  EXPECT_EQ(refused(spec), "InvalidParameterValue");
  spec = m4();
  spec.tags = {{"aws:mine", "1"}};
  EXPECT_EQ(refused(spec), "InvalidParameterValue");
}

TEST(Instances, LaunchOnlyConfiguredImages) {
  Simulation simulation{kStart};
  EventLog log;
  market::Market market{simulation, log, default_prices()};
  FakeHost host{simulation};
  Cloud cloud{
      simulation,
      Streams{1},
      market,
      host,
      {.availability_zones = {"us-west-2a"}, .images = {{"ami-1", {}}}, .any_image = false}};
  LaunchSpec spec = m4("us-west-2a");
  spec.image_id = "ami-1";
  EXPECT_EQ(CloudWorld::refusal([&] { cloud.run_instances(spec, 1); }), "");
  spec.image_id = "ami-2";
  EXPECT_EQ(CloudWorld::refusal([&] { cloud.run_instances(spec, 1); }), "InvalidAMIID.NotFound");
  spec.image_id = "ubuntu-16.04";
  EXPECT_EQ(CloudWorld::refusal([&] { cloud.run_instances(spec, 1); }), "InvalidAMIID.Malformed");
}

}  // namespace
}  // namespace sim::cloud
