// Faults that EC2 announces as scheduled events.
#include "sim/faults/kinds_for_test.h"

namespace sim::faults {
namespace {

TEST_F(Kinds, ARetirementIsAnnouncedAndEndsTheInstance) {
  const auto id = w.spot();
  strike("instance-retirement", {{"notice", "5m"}});
  const auto& events = w.cloud.instance(id).maintenance;
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].description, "The instance is running on degraded hardware");
  EXPECT_FALSE(events[0].not_after);
  EXPECT_EQ(w.state(id), InstanceState::kRunning);
  w.pass(5min);
  EXPECT_EQ(w.state(id), InstanceState::kShuttingDown);
}

TEST_F(Kinds, ARebootIsScheduledForTheNamedInstance) {
  const auto first = w.spot(), second = w.spot();
  strike("system-reboot", {{"instance", "1"}, {"window", "2h"}, {"description", "by hand"}});
  EXPECT_TRUE(w.cloud.instance(second).maintenance.empty());
  const auto& event = w.cloud.instance(first).maintenance.at(0);
  EXPECT_EQ(event.description, "by hand");
  EXPECT_EQ(*event.not_after - event.not_before, 2h);
  w.pass(15min);
  EXPECT_EQ(event.state, cloud::MaintenanceState::kCompleted);
  EXPECT_EQ(w.state(first), InstanceState::kRunning);
}

TEST_F(Kinds, MaintenanceIsShownOnly) {
  const auto id = w.spot();
  strike("system-maintenance", {{"notice", "0s"}, {"window", "10m"}});
  EXPECT_EQ(w.cloud.instance(id).maintenance.at(0).state, cloud::MaintenanceState::kActive);
  w.pass(10min);
  EXPECT_EQ(w.cloud.instance(id).maintenance.at(0).state, cloud::MaintenanceState::kCompleted);
  EXPECT_EQ(w.state(id), InstanceState::kRunning);
}

}  // namespace
}  // namespace sim::faults
