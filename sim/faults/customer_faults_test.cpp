// The effects of EC2's own actions as faults.
#include "sim/faults/kinds_for_test.h"

namespace sim::faults {
namespace {

TEST_F(Kinds, SomebodyTerminatesAnInstance) {
  const cloud::InstanceId id{w.instance()};
  strike("terminate");
  EXPECT_EQ(w.cloud.instance(id).state_reason_code, "Client.UserInitiatedShutdown");
  w.pass(5min);
  EXPECT_EQ(w.state(id), InstanceState::kTerminated);
}

TEST_F(Kinds, AStoppedInstanceStartsAgainAfterItsTime) {
  const cloud::InstanceId id{w.instance()};
  strike("stop", {{"for", "10m"}});
  w.pass(5min);
  EXPECT_EQ(w.state(id), InstanceState::kStopped);
  w.pass(7min);
  EXPECT_EQ(w.state(id), InstanceState::kRunning);
}

TEST_F(Kinds, AStoppedInstanceStaysStoppedWithoutATime) {
  const cloud::InstanceId id{w.instance()};
  strike("stop");
  w.pass(24h);
  EXPECT_EQ(w.state(id), InstanceState::kStopped);
}

TEST_F(Kinds, AStopThatEc2RefusesHasNoEffectAndAReason) {
  const auto id = w.spot();
  strike("stop");
  EXPECT_EQ(w.state(id), InstanceState::kRunning);
  EXPECT_EQ(w.engine->tallies()[0].found, 0);
  EXPECT_NE(w.engine->tallies()[0].refusal.find(id.value), std::string::npos)
      << w.engine->tallies()[0].refusal;
}

TEST_F(Kinds, ARebootKeepsTheInstance) {
  const cloud::InstanceId id{w.instance()};
  strike("reboot");
  w.pass(5min);
  EXPECT_EQ(w.state(id), InstanceState::kRunning);
  EXPECT_EQ(w.engine->tallies()[0].found, 1);
}

}  // namespace
}  // namespace sim::faults
