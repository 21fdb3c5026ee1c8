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

// EC2 refuses to stop a terminated instance. Such a strike does not count, nor does it undo the
// count of an earlier one.
TEST_F(Kinds, ARefusedStrikeKeepsTheCountOfEarlierOnes) {
  const cloud::InstanceId id{w.instance()};
  w.play({fault(AtTime{10min}, "stop", {{"instance", "1"}}),
          fault(AtTime{30min}, "stop", {{"instance", "1"}}),
          fault(Drawn{1min}, "stop", {{"instance", "1"}})});
  w.pass(20min);
  const auto found = w.engine->tallies()[2].found;
  EXPECT_GT(found, 0);
  w.cloud.terminate_instances({id});
  w.pass(30min);
  const auto tallies = w.engine->tallies();
  EXPECT_EQ(tallies[0].found, 1);
  EXPECT_EQ(tallies[1].found, 0);
  EXPECT_NE(tallies[1].refusal, "");
  EXPECT_EQ(tallies[2].found, found);
}

TEST_F(Kinds, AnInjectedStrikeThatEc2RefusesFindsNoTarget) {
  w.play({});
  const auto id = w.spot();
  EXPECT_THROW(w.engine->inject({.kind = "stop", .arguments = {}, .machine = id.value}),
               cloud::ApiError);
  EXPECT_EQ(w.engine->tallies()[0].found, 0);
}

TEST_F(Kinds, AnInstanceThatCannotStartAgainIsReported) {
  const cloud::InstanceId id{w.instance()};
  strike("stop", {{"for", "10m"}});
  w.pass(5min);
  EXPECT_TRUE(w.engine->will_start());
  w.cloud.terminate_instances({id});
  EXPECT_FALSE(w.engine->will_start());
  EXPECT_EQ(w.engine->tallies()[0].not_undone, "");
  w.pass(6min);
  EXPECT_EQ(w.engine->tallies()[0].found, 1);
  EXPECT_NE(w.engine->tallies()[0].not_undone.find(id.value), std::string::npos);
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
