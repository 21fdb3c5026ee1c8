// Events that EC2 schedules for instances.
#include <gtest/gtest.h>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

struct Maintained : testing::Test {
  const MaintenanceEvent& schedule(MaintenanceCode code, Duration window = {}) {
    MaintenanceEvent event{.code = code, .description = "as told"};
    event.not_before = w.simulation.now() + 10min;
    if (window > Duration{}) event.not_after = event.not_before + window;
    w.cloud.schedule_maintenance(id, event);
    return w.cloud.instance(id).maintenance.back();
  }
  std::vector<std::string> states() {
    std::vector<std::string> seen;
    for (const Event& event : w.of_kind("instance.maintenance")) {
      seen.push_back(event.fields.at("state"));
      EXPECT_EQ(event.fields.at("event_id"), w.cloud.instance(id).maintenance.front().id);
    }
    return seen;
  }
  CloudWorld w;
  InstanceId id = w.on_demand();
  using States = std::vector<std::string>;
};

TEST_F(Maintained, ARetirementStopsTheInstanceAtItsTime) {
  const MaintenanceEvent event = schedule(MaintenanceCode::kInstanceRetirement);
  EXPECT_TRUE(event.id.starts_with("instance-event-0"));
  EXPECT_EQ(event.id.size(), std::string("instance-event-0d59937288b749b32").size());
  w.run(10min - 1s);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kRunning);
  w.run(1s);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kStopping);
  EXPECT_EQ(w.cloud.instance(id).state_reason_code, "Server.ScheduledStop");
  EXPECT_EQ(w.host.calls.back(), "halt " + id.value);
  EXPECT_EQ(states(), (States{"active", "completed"}));
}

TEST_F(Maintained, ARebootIsOne) {
  for (const auto code : {MaintenanceCode::kInstanceReboot, MaintenanceCode::kSystemReboot}) {
    w.host.calls.clear();
    schedule(code, 1h);
    w.run(10min);
    EXPECT_EQ(w.host.calls, std::vector<std::string>{"reboot " + id.value});
    EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kRunning);
    EXPECT_EQ(w.cloud.instance(id).maintenance.back().state, MaintenanceState::kCompleted);
  }
}

TEST_F(Maintained, TheCustomersRebootCompletesAnInstanceRebootOnly) {
  schedule(MaintenanceCode::kInstanceReboot);
  schedule(MaintenanceCode::kSystemReboot);
  w.cloud.reboot_instances({id});
  const auto& events = w.cloud.instance(id).maintenance;
  EXPECT_EQ(events.at(0).state, MaintenanceState::kCompleted);
  EXPECT_EQ(events.at(1).state, MaintenanceState::kActive);
  w.host.calls.clear();
  w.run(10min);
  EXPECT_EQ(w.host.calls.size(), 1U) << "the system's";
}

TEST_F(Maintained, MaintenanceIsOverAtItsEnd) {
  schedule(MaintenanceCode::kSystemMaintenance, 20min);
  w.run(29min);
  EXPECT_EQ(states(), States{"active"});
  w.run(1min);
  EXPECT_EQ(states(), (States{"active", "completed"}));
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kRunning);
}

TEST_F(Maintained, AnInstanceThatEndsCancelsItsEvents) {
  schedule(MaintenanceCode::kInstanceRetirement);
  w.cloud.terminate_instances({id});
  w.run(1h);
  EXPECT_EQ(states(), (States{"active", "canceled"}));
  EXPECT_EQ(w.cloud.instance(id).state_reason_code, "Client.UserInitiatedShutdown");
  w.cloud.schedule_maintenance(id, {});
  EXPECT_EQ(states().size(), 2U) << "it is gone";
}

}  // namespace
}  // namespace sim::cloud
