#include "sim/explore/world_state.h"

#include <gtest/gtest.h>

#include "sim/events/event.h"
#include "sim/result/history_builder.h"

namespace sim::explore {
namespace {

// The state after these events.
template <class... Events>
std::uint64_t state_after(const Events&... events) {
  events::Listeners log;
  result::HistoryBuilder history;
  WorldState world;
  history.listen(log);
  world.listen(log, history.history());
  (log.tell(events::AnyEvent(events)), ...);
  return world.hash();
}

events::AutoscalingGroup group(std::int64_t desired) {
  return {.group = "training", .what = "updated", .desired = desired};
}
events::AutoscalingInstance member(std::string_view id, std::string_view to) {
  return {.instance_id = id, .group = "training", .to = to};
}
events::ElastigroupGroup elastigroup(std::string_view change, std::int64_t target) {
  return {.group_id = "sig-1", .change = change, .target = target};
}
events::ElastigroupInstance stateful(std::string_view id, std::string_view to) {
  return {.stateful_instance_id = id, .group_id = "sig-1", .to = to};
}

TEST(WorldState, AnAutoScalingGroupIsItsSizeAndTheStatesOfItsInstances) {
  EXPECT_NE(state_after(group(1)), state_after(group(2)));
  EXPECT_EQ(state_after(group(0)), state_after());
  EXPECT_NE(state_after(member("i-1", "Pending")), state_after(member("i-1", "InService")));
  EXPECT_EQ(state_after(member("i-1", "InService")), state_after(member("i-2", "InService")))
      << "names do not count";
  EXPECT_EQ(state_after(member("i-1", "InService"), member("i-1", "Terminated")), state_after());
}

TEST(WorldState, AnElastigroupIsItsTargetAndTheStatesOfItsStatefulInstances) {
  EXPECT_NE(state_after(elastigroup("created", 1)), state_after());
  EXPECT_EQ(state_after(elastigroup("created", 1), elastigroup("deleted", 1)), state_after());
  EXPECT_NE(state_after(stateful("ssi-1", "ACTIVE")), state_after(stateful("ssi-1", "RECYCLING")));
  EXPECT_EQ(state_after(stateful("ssi-1", "ACTIVE"), stateful("ssi-1", "DEALLOCATED")),
            state_after());
}

TEST(WorldState, ATrainerTrainsUntilItStopsOrFinishes) {
  events::Listeners log;
  result::HistoryBuilder history;
  WorldState world;
  history.listen(log);
  world.listen(log, history.history());
  const auto after = [&](const auto& event) {
    log.tell(events::AnyEvent(event));
    return world.training("1");
  };
  EXPECT_EQ(after(events::InstanceState{.instance_id = "i-1", .to = "pending"}), "");
  EXPECT_EQ(after(events::TrainerStart{.instance_id = "i-1"}), "trains");
  EXPECT_EQ(after(events::TrainerStep{.instance_id = "i-1", .step = 1}), "trains");
  EXPECT_EQ(after(events::TrainerStop{.instance_id = "i-1"}), "stopped");
  EXPECT_EQ(after(events::TrainerStart{.instance_id = "i-1"}), "trains");
  EXPECT_EQ(after(events::TrainerFinished{.instance_id = "i-1"}), "finished");
}

// Whether the newest instance may be stopped after these events.
template <class... Events>
bool can_stop_after(const Events&... events) {
  events::Listeners log;
  result::HistoryBuilder history;
  WorldState world;
  history.listen(log);
  world.listen(log, history.history());
  (log.tell(events::AnyEvent(events)), ...);
  return world.can_stop("");
}

events::SpotRequestState request(std::string_view type, std::string_view instance) {
  return {.spot_request_id = "sir-1",
          .from = type.empty() ? "open" : "",
          .to = type.empty() ? "active" : "open",
          .instance_id = instance,
          .type = type};
}
events::InstanceState pending(std::string_view lifecycle) {
  return {.instance_id = "i-1", .to = "pending", .lifecycle = lifecycle};
}
const events::InstanceState kRunning{.instance_id = "i-1", .from = "pending", .to = "running"};

TEST(WorldState, AnInstanceCanBeStoppedOnDemandOrIfItsRequestIsPersistent) {
  EXPECT_TRUE(can_stop_after(pending("on-demand"), kRunning));
  EXPECT_FALSE(can_stop_after(pending("on-demand"))) << "not yet";
  EXPECT_FALSE(can_stop_after(pending("spot"), kRunning));
  EXPECT_FALSE(
      can_stop_after(request("one-time", ""), pending("spot"), request("", "i-1"), kRunning));
  EXPECT_TRUE(
      can_stop_after(request("persistent", ""), pending("spot"), request("", "i-1"), kRunning));
}

}  // namespace
}  // namespace sim::explore
