// The effects of faults on instances.
#include "sim/faults/kinds_for_test.h"

namespace sim::faults {
namespace {

TEST_F(Kinds, AnInterruptionHasItsNotice) {
  const auto id = w.spot();
  strike("interrupt");
  const auto& instance = w.cloud.instance(id);
  EXPECT_EQ(*instance.interruption_at - *instance.interruption_notice_at, 2min);
  EXPECT_EQ(instance.state, InstanceState::kRunning);
  w.pass(2min);
  EXPECT_EQ(instance.state_reason_code, "Server.SpotInstanceTermination");
}

TEST_F(Kinds, AnInterruptionsNoticeCanBeLateOrMissing) {
  const auto late = w.spot();
  strike("interrupt", {{"notice", "5s"}, {"reason", "by-price"}});
  EXPECT_EQ(w.state(late), InstanceState::kRunning);
  EXPECT_EQ(w.cloud.spot_requests().at(w.cloud.instance(late).spot_request).status_code,
            "instance-terminated-by-price");
  w.pass(5s);
  EXPECT_EQ(w.state(late), InstanceState::kShuttingDown);

  FaultWorld other;
  const auto without = other.spot();
  other.play({fault(AtTime{10s}, "interrupt", {{"notice", "0s"}})});
  other.pass(2min);
  EXPECT_EQ(other.state(without), InstanceState::kTerminated);
  EXPECT_FALSE(other.cloud.instance(without).interruption_notice_at);
}

TEST_F(Kinds, AnInterruptionSparesWhatIsNotSpot) {
  const std::string id = w.instance();
  strike("interrupt");
  EXPECT_EQ(w.state({id}), InstanceState::kRunning);
  EXPECT_FALSE(w.cloud.instance({id}).interruption_notice_at);
}

TEST_F(Kinds, ReclaimTakesAllOfThePoolsThatItNames) {
  const auto a = w.spot("us-west-2a"), first = w.spot(), second = w.spot();
  strike("reclaim", {{"zone", "us-west-2b"}, {"notice", "1m"}});
  EXPECT_FALSE(w.cloud.instance(a).interruption_notice_at);
  EXPECT_TRUE(w.cloud.instance(first).interruption_notice_at);
  EXPECT_TRUE(w.cloud.instance(second).interruption_notice_at);
  w.pass(2min);
  EXPECT_EQ(w.state(a), InstanceState::kRunning);
  EXPECT_EQ(w.state(second), InstanceState::kTerminated);
}

TEST_F(Kinds, ReclaimLeavesThePoolsThatItEmptiedWithoutCapacity) {
  const int usual = capacity(kB);
  w.spot();
  strike("reclaim", {{"for", "10m"}});
  EXPECT_EQ(capacity(kB), 0);
  EXPECT_EQ(capacity(kA), usual);
  w.pass(10min);
  EXPECT_EQ(capacity(kB), usual);
}

TEST_F(Kinds, APowerCutTakesTheNewestThatRunsOrTheNamedOne) {
  const auto first = w.spot(), second = w.spot();
  strike("power-cut");
  EXPECT_EQ(w.state(first), InstanceState::kRunning);
  EXPECT_EQ(w.state(second), InstanceState::kShuttingDown);

  FaultWorld other;
  const auto named = other.spot();
  other.spot();
  other.play({fault(AtTime{10min}, "power-cut", {{"instance", "1"}}),
              fault(AtTime{10min}, "power-cut", {{"instance", "7"}})});
  other.pass(11min);
  EXPECT_EQ(other.strikes(), 2U);
  EXPECT_EQ(other.state(named), InstanceState::kTerminated);
  EXPECT_EQ(other.cloud.instances().size(), 2U) << "there is no seventh";
}

TEST_F(Kinds, APowerCutCanTakeTheVolumesToo) {
  const auto id = w.spot();
  const std::string volume = w.volume();
  w.cloud.attach_volume({volume}, id, "/dev/sdf");
  w.pass(1min);
  strike("power-cut", {{"volumes", "lost"}});
  w.pass(5min);
  EXPECT_EQ(w.cloud.volume({volume}).state, cloud::VolumeState::kError);
}

TEST_F(Kinds, AHostFailureIsNoInterruption) {
  const auto id = w.spot();
  strike("host-failure");
  EXPECT_EQ(w.cloud.instance(id).state_reason_code, "Server.InternalError");
  EXPECT_TRUE(w.of_kind("spot.interruption").empty());
}

TEST_F(Kinds, ARebalanceRecommendationComesToNothing) {
  const auto id = w.spot();
  strike("rebalance");
  w.pass(24h);
  EXPECT_TRUE(w.cloud.instance(id).rebalance_recommended_at);
  EXPECT_EQ(w.state(id), InstanceState::kRunning);
}

TEST_F(Kinds, AFleetLaunchesOneTooMany) {
  cloud::SpotFleetRequest request;
  request.config.target_capacity = 1;
  request.config.launch_specs = {
      {.instance_type = "p3.2xlarge", .availability_zone = "us-west-2a"}};
  const auto fleet = w.cloud.request_spot_fleet(request);
  w.pass(2min);
  strike("duplicate-instance");
  w.pass(2min);
  EXPECT_EQ(w.cloud.fleet(fleet).instances.size(), 2U);
  w.cloud.cancel_spot_fleet(fleet, true);
  w.pass(5min);
  EXPECT_FALSE(w.cloud.anything_running());
}

}  // namespace
}  // namespace sim::faults
