// Instances that hibernate, by the customer and by an interruption, and resume.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/cloud/stopping_world_for_test.h"

namespace sim::cloud {
namespace {

const Pool kM4{"m4.xlarge", "us-west-2b"};  // 16 GiB of memory

struct HibernationWorld : StoppingWorld {
  HibernationWorld() : StoppingWorld(prices()) {}
  static market::PriceHistory prices() {
    market::PriceHistory history = default_prices();
    history.pools[kM4] = {{kStart, usd("0.1")}};
    return history;
  }
  static BlockDevice root(int gib = 20, bool encrypted = true, const char* type = "gp3") {
    return {.device = "/dev/xvda",
            .volume = {.size_gib = gib, .type = type, .encrypted = encrypted}};
  }
  static LaunchSpec hibernating() {
    LaunchSpec spec{.instance_type = kM4.instance_type, .availability_zone = kM4.availability_zone};
    spec.block_devices = {root()};
    spec.hibernation = true;
    return spec;
  }
  InstanceId launch() {
    const InstanceId id = cloud.run_instances(hibernating(), 1).at(0);
    run(60s);
    return id;
  }
  // Hibernates the instance, and starts it until one second after it is running.
  void begin_resuming(const InstanceId& id) {
    cloud.hibernate_instances({id});
    run(60s);
    cloud.start_instances({id});
    run(21s);
    EXPECT_EQ(cloud.instance(id).state, InstanceState::kRunning);
    EXPECT_EQ(host.calls.back(), "hibernate " + id.value) << "its programs do not run yet";
  }
  VolumeId attach_volume(const InstanceId& id) {
    const VolumeId made = volume();
    cloud.attach_volume(made, id, "/dev/sdf");
    run(10s);
    return made;
  }
  SpotRequestId spot_request() {
    LaunchSpec spec = hibernating();
    spec.stops_when_interrupted = true;
    const auto id = cloud.request_spot_instances(spec, 1, "persistent");
    run(60s);
    return id.at(0);
  }
};

TEST(Hibernation, KeepsTheMachineAndItsVolumes) {
  HibernationWorld w;
  const InstanceId id = w.launch();
  const VolumeId volume = w.volume();
  w.cloud.attach_volume(volume, id, "/dev/sdf");
  w.run(10s);
  w.cloud.hibernate_instances({id});
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kStopping);
  EXPECT_EQ(w.cloud.instance(id).state_reason_code, "Client.UserInitiatedHibernate");
  w.run(60s);
  EXPECT_EQ(w.path_of(id), kUntilStopped);
  EXPECT_EQ(w.host.calls.back(), "hibernate " + id.value);
  EXPECT_TRUE(w.host.plugged.contains(volume));
  w.run(10h);
  w.cloud.start_instances({id});
  w.run(60s);
  EXPECT_EQ(w.path_of(id), std::string(kUntilStopped) + " pending running");
  EXPECT_EQ(w.host.calls.back(), "resume " + id.value);
  EXPECT_FALSE(w.cloud.instance(id).hibernated);
  w.cloud.stop_instances({id});
  w.run(60s);
  EXPECT_EQ(w.host.calls.back(), "halt " + id.value);
  EXPECT_TRUE(w.host.plugged.empty());
}

TEST(Hibernation, CostsTheInstancesPriceUntilItIsStopped) {
  HibernationWorld w;
  const InstanceId id = w.launch();
  w.run(1h);
  w.cloud.hibernate_instances({id});
  w.run(60s);
  const auto& items = w.cloud.ledger().items();
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].to - items[0].from, 40s + 1h + 30s);
  w.run(10h);
  w.cloud.close_books();
  EXPECT_EQ(items.size(), 1U) << "a hibernated instance costs nothing";
}

TEST(Hibernation, NeedsAnInstanceThatWasConfiguredForIt) {
  HibernationWorld w;
  const InstanceId id = w.on_demand();
  EXPECT_EQ(w.refusal([&] { w.cloud.hibernate_instances({id}); }),
            "UnsupportedHibernationConfiguration");
  const InstanceId early = w.cloud.run_instances(HibernationWorld::hibernating(), 1).at(0);
  EXPECT_EQ(w.refusal([&] { w.cloud.hibernate_instances({early}); }), "IncorrectInstanceState");
}

TEST(Hibernation, NeedsASupportedTypeAndAnEncryptedRootForItsMemory) {
  HibernationWorld w;
  const auto refused = [&](const LaunchSpec& spec) {
    return w.refusal([&] { w.cloud.run_instances(spec, 1); });
  };
  const auto with_root = [&](const BlockDevice& root) {
    LaunchSpec spec = HibernationWorld::hibernating();
    spec.block_devices = {root};
    return refused(spec);
  };
  EXPECT_EQ(with_root(HibernationWorld::root(16)), "");
  EXPECT_EQ(with_root(HibernationWorld::root(15)), "UnsupportedHibernationConfiguration");
  EXPECT_EQ(with_root(HibernationWorld::root(20, false)), "UnsupportedHibernationConfiguration");
  EXPECT_EQ(with_root(HibernationWorld::root(200, true, "standard")),
            "UnsupportedHibernationConfiguration");
  LaunchSpec none = HibernationWorld::hibernating();
  none.block_devices.clear();
  EXPECT_EQ(refused(none), "UnsupportedHibernationConfiguration");
  LaunchSpec gpu = HibernationWorld::hibernating();
  gpu.instance_type = "p3.2xlarge";
  EXPECT_EQ(refused(gpu), "UnsupportedHibernationConfiguration");
}

TEST(Hibernation, IsANormalStopBeforeTheSystemIsUp) {
  HibernationWorld w;
  const InstanceId id = w.cloud.run_instances(HibernationWorld::hibernating(), 1).at(0);
  w.run(25s);  // it boots for 30 s
  w.cloud.hibernate_instances({id});
  w.run(60s);
  EXPECT_EQ(w.host.calls.back(), "halt " + id.value);
  w.cloud.start_instances({id});
  w.run(60s);
  EXPECT_EQ(w.host.calls.back(), "boot " + id.value);
}

TEST(Hibernation, EndsWithItsInstanceAsAPowerCut) {
  HibernationWorld w;
  const InstanceId id = w.launch();
  w.cloud.hibernate_instances({id});
  w.run(60s);
  w.cloud.terminate_instances({id});
  w.run(60s);
  EXPECT_EQ(w.path_of(id), std::string(kUntilStopped) + " terminated");
  EXPECT_NE(std::ranges::find(w.host.calls, "power off " + id.value), w.host.calls.end());
}

TEST(Hibernation, OfAnInterruptionBeginsAtOnce) {
  HibernationWorld w;
  const SpotRequestId request = w.spot_request();
  const InstanceId id = w.request(request).instance;
  w.market.set_capacity(kM4, 0);
  w.cloud.interrupt(id, Cloud::Notice::kGiven, "no-capacity");
  EXPECT_EQ(w.cloud.instance(id).interruption_at, w.simulation.now());
  w.run(1s);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kStopping);
  EXPECT_EQ(w.cloud.instance(id).state_reason_code, "Server.SpotInstanceShutdown");
  w.run(1min);
  EXPECT_EQ(w.path_of(id), kUntilStopped);
  EXPECT_EQ(w.request(request).state, SpotRequestState::kDisabled);
  EXPECT_EQ(w.request(request).status_code, "instance-stopped-no-capacity");
  w.market.set_capacity(kM4, 1);
  w.run(2min);
  EXPECT_EQ(w.path_of(id), std::string(kUntilStopped) + " pending running");
  EXPECT_EQ(w.host.calls.back(), "resume " + id.value);
  EXPECT_EQ(w.request(request).status_code, "fulfilled");
}

TEST(Hibernation, IsOverWhenTheInstanceIsStoppedWhileItResumes) {
  HibernationWorld w;
  const InstanceId id = w.launch();
  const VolumeId volume = w.attach_volume(id);
  w.begin_resuming(id);
  w.cloud.stop_instances({id});
  w.run(60s);
  EXPECT_EQ(w.host.calls.back(), "halt " + id.value);
  EXPECT_FALSE(w.cloud.instance(id).hibernated);
  EXPECT_TRUE(w.host.plugged.empty());
  w.cloud.start_instances({id});
  w.run(60s);
  EXPECT_EQ(w.host.calls.back(), "start again " + id.value);
  EXPECT_TRUE(w.host.plugged.contains(volume));
}

TEST(Hibernation, GoesOnWhenTheInstanceHibernatesWhileItResumes) {
  HibernationWorld w;
  const InstanceId id = w.launch();
  const VolumeId volume = w.attach_volume(id);
  w.begin_resuming(id);
  w.cloud.hibernate_instances({id});
  w.run(60s);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kStopped);
  EXPECT_TRUE(w.cloud.instance(id).hibernated);
  EXPECT_TRUE(w.host.plugged.contains(volume));
  w.cloud.start_instances({id});
  w.run(60s);
  EXPECT_EQ(w.host.calls.back(), "resume " + id.value);
}

// The first hour is free.
TEST(Hibernation, OfAnInterruptionIsFreeAlsoIfTheInstanceEndsMeanwhile) {
  HibernationWorld w;
  const InstanceId id = w.request(w.spot_request()).instance;
  w.cloud.interrupt(id, Cloud::Notice::kGiven, "no-capacity");
  w.run(1s);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kStopping);
  w.cloud.terminate_instances({id});
  w.run(2min);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kTerminated);
  EXPECT_EQ(w.cost_of_instances(), Usd{});
}

TEST(Hibernation, OfAnInterruptionIsFreeAlsoIfTheBooksCloseMeanwhile) {
  HibernationWorld w;
  const InstanceId id = w.request(w.spot_request()).instance;
  w.cloud.interrupt(id, Cloud::Notice::kGiven, "no-capacity");
  w.run(1s);
  w.cloud.close_books();
  EXPECT_EQ(w.cost_of_instances(), Usd{});
}

TEST(Hibernation, IsAPowerCutAndAStopIfTheInterruptionHasNoNotice) {
  HibernationWorld w;
  const SpotRequestId request = w.spot_request();
  const InstanceId id = w.request(request).instance;
  w.market.set_capacity(kM4, 0);
  w.cloud.interrupt(id, Cloud::Notice::kNone, "no-capacity");
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kStopping);
  EXPECT_EQ(w.host.calls.back(), "cut power of " + id.value);
  w.run(1min);
  EXPECT_EQ(w.path_of(id), kUntilStopped);
  EXPECT_FALSE(w.cloud.instance(id).hibernated);
  EXPECT_EQ(w.request(request).status_code, "instance-stopped-no-capacity");
  w.market.set_capacity(kM4, 1);
  w.run(2min);
  EXPECT_EQ(w.host.calls.back(), "start again " + id.value);
}

TEST(Hibernation, KeepsVolumesThatAreDetachedOnlyByForce) {
  HibernationWorld w;
  const InstanceId id = w.launch();
  const VolumeId volume = w.volume();
  w.cloud.attach_volume(volume, id, "/dev/sdf");
  w.run(10s);
  w.cloud.hibernate_instances({id});
  w.run(60s);
  w.host.mounted = true;
  w.cloud.detach_volume(volume, id, false);
  w.run(10s);
  EXPECT_EQ(w.cloud.volume(volume).attachment->state, AttachmentState::kBusy);
  w.cloud.detach_volume(volume, id, true);
  w.run(10s);
  EXPECT_EQ(w.cloud.volume(volume).state, VolumeState::kAvailable);
}

}  // namespace
}  // namespace sim::cloud
