// Lifecycle hooks and scheduled actions.
#include "sim/autoscaling/recurrence.h"
#include "sim/autoscaling/world_for_test.h"

namespace sim::autoscaling {
namespace {

Hook hook(Hook::Transition transition, Hook::Result otherwise, Duration heartbeat = 60s) {
  return {
      .name = "h", .transition = transition, .heartbeat = heartbeat, .default_result = otherwise};
}
constexpr auto kLaunching = Hook::Transition::kLaunching;
constexpr auto kTerminating = Hook::Transition::kTerminating;
constexpr auto kContinue = Hook::Result::kContinue;
constexpr auto kAbandon = Hook::Result::kAbandon;

TEST(AutoscalingHooks, LetALaunchingInstanceWaitUntilItsActionIsCompleted) {
  World w;
  w.running(1, {hook(kLaunching, kAbandon, 1h)});
  EXPECT_EQ(w.states(), "Pending:Wait");
  EXPECT_EQ(name(w.last().status), "MidLifecycleAction");
  const InstanceId id = w.member().id;
  EXPECT_EQ(w.refusal([&] { w.groups.complete("g", "other", "", id, kContinue); }),
            "ValidationError");
  w.groups.complete("g", "h", "", id, kContinue);
  EXPECT_EQ(w.way(id), "Pending Pending:Wait Pending:Proceed InService");
  EXPECT_EQ(w.refusal([&] { w.groups.complete("g", "h", "", id, kContinue); }), "ValidationError");
}

TEST(AutoscalingHooks, EndALaunchThatIsAbandonedOrTimesOut) {
  World w;
  w.running(1, {hook(kLaunching, kAbandon)});
  const InstanceId id = w.member().id;
  w.run(1min);
  EXPECT_EQ(w.way(id), "Pending Pending:Wait Terminating Terminated");
  const Activity& launch = w.groups.activities().at(0);
  EXPECT_EQ(name(launch.status), "Cancelled");
  EXPECT_TRUE(
      launch.message.starts_with("Instance failed to complete user's Lifecycle Action: "
                                 "Lifecycle Action with token "));
  EXPECT_TRUE(launch.message.ends_with(" was abandoned: Heartbeat Timeout"));
  w.run(1min);
  EXPECT_EQ(w.states(), "Pending:Wait") << "the next one, after a pause";
}

TEST(AutoscalingHooks, KeepATerminatingInstanceRunningUntilItsActionIsCompleted) {
  World w;
  w.running(1, {hook(kTerminating, kContinue)});
  const InstanceId id = w.member().id;
  w.groups.terminate(id, Desired::kDecremented);
  w.run(50s);
  EXPECT_EQ(w.states(), "Terminating:Wait");
  EXPECT_EQ(w.cloud.instance(id).state, cloud::InstanceState::kRunning);
  w.groups.heartbeat("g", "h", "", id);
  w.run(50s);
  EXPECT_EQ(w.states(), "Terminating:Wait");
  w.run(2min);
  EXPECT_EQ(w.way(id),
            "Pending InService Terminating Terminating:Wait Terminating:Proceed Terminated");
}

TEST(AutoscalingHooks, AcceptATokenTogetherWithItsInstance) {
  World w;
  w.running(1, {hook(kTerminating, kContinue)});
  const InstanceId id = w.member().id;
  w.groups.terminate(id, Desired::kDecremented);
  w.run(1s);
  const std::string token = w.member().actions.at("h").token;
  w.groups.heartbeat("g", "h", token, id);
  EXPECT_EQ(w.refusal([&] { w.groups.heartbeat("g", "h", token, InstanceId{"i-0"}); }),
            "ValidationError")
      << "the action is another instance's";
  EXPECT_EQ(w.refusal([&] { w.groups.heartbeat("g", "h", "", InstanceId{}); }), "ValidationError");
  w.groups.complete("g", "h", token, id, kContinue);
  EXPECT_EQ(w.way(id), "Pending InService Terminating Terminating:Wait Terminating:Proceed");
  EXPECT_EQ(w.refusal([&] { w.groups.complete("g", "h", token, id, kContinue); }),
            "ValidationError");
}

TEST(AutoscalingHooks, DoNotHoldAnInstanceThatEc2Takes) {
  World w;
  w.running(1, {hook(kTerminating, kContinue, 1h)});
  const InstanceId id = w.member().id;
  w.groups.terminate(id, Desired::kDecremented);
  w.cloud.interrupt(id, cloud::Notice::kNone, "no-capacity");
  w.run(2min);
  EXPECT_EQ(w.way(id),
            "Pending InService Terminating Terminating:Wait Terminating:Proceed Terminated");
}

TEST(AutoscalingHooks, AreDroppedByAForcedDelete) {
  World w;
  w.running(1, {hook(kTerminating, kContinue, 1h)});
  w.groups.remove("g", Force::kYes);
  w.run(2min);
  EXPECT_TRUE(w.groups.groups().empty());
}

TEST(AutoscalingSchedule, ChangesTheSizesOnce) {
  World w;
  w.make(World::settings(World::spot(), 0));
  EXPECT_FALSE(w.groups.any_may_launch());
  w.groups.put_schedule("g", {.name = "up", .start = kStart + 10min, .desired = 1});
  EXPECT_TRUE(w.groups.any_may_launch());
  w.run(12min);
  EXPECT_EQ(w.states(), "InService");
  EXPECT_TRUE(w.groups.group("g").schedule.empty());
  EXPECT_TRUE(w.groups.activities().at(0).cause.starts_with(
      "At 2019-11-05T10:10:00Z a scheduled action update of AutoScalingGroup constraints to min: "
      "0, "
      "max: 4, desired: 1 changing the desired capacity from 0 to 1.  At 2019-11-05T10:10:00Z the "
      "scheduled action up executed. Setting desired capacity from 0 to 1."));
}

TEST(AutoscalingSchedule, RecursUntilItsEnd) {
  World w;
  w.make(World::settings(World::spot(), 0));
  w.groups.put_schedule(
      "g", {.name = "up", .end = kStart + 90min, .recurrence = "0 * * * *", .desired = 1});
  w.groups.put_schedule(
      "g", {.name = "down", .end = kStart + 100min, .recurrence = "30 * * * *", .desired = 0});
  w.run(65min);
  EXPECT_EQ(w.states(), "InService");
  w.run(30min);
  EXPECT_EQ(w.states(), "");
  EXPECT_TRUE(w.groups.group("g").schedule.empty());
}

TEST(AutoscalingSchedule, RefusesWhatCannotBe) {
  World w;
  w.make(World::settings(World::spot(), 0));
  const auto refused = [&](const ScheduledAction& action) {
    return w.refusal([&] { w.groups.put_schedule("g", action); });
  };
  EXPECT_EQ(refused({.name = "a", .start = kStart - 1s, .desired = 1}), "ValidationError");
  EXPECT_EQ(refused({.name = "a", .start = kStart + 1s}), "ValidationError");
  EXPECT_EQ(refused({.name = "a", .recurrence = "0 25 * * *", .desired = 1}), "ValidationError");
  EXPECT_EQ(w.refusal([&] { w.groups.delete_schedule("g", "a"); }), "ValidationError");
}

TEST(AutoscalingRecurrence, IsCron) {
  const auto next = [](const char* text, const char* after) {
    const auto parsed = Recurrence::parse(text);
    const auto at = parsed ? parsed->next(parse_time(after).value()) : std::nullopt;
    return at ? iso_seconds(*at) : "none";
  };
  EXPECT_EQ(next("30 0 1 1,6,12 *", "2019-11-05T10:00:00Z"), "2019-12-01T00:30:00Z");
  EXPECT_EQ(next("*/15 * * * *", "2019-11-05T10:00:00Z"), "2019-11-05T10:15:00Z");
  EXPECT_EQ(next("0 9-17/4 * * 1-5", "2019-11-08T17:00:00Z"), "2019-11-11T09:00:00Z");
  EXPECT_EQ(next("0 0 * * 7", "2019-11-05T10:00:00Z"), "2019-11-10T00:00:00Z");
  EXPECT_EQ(next("0 0 13 * 5", "2019-11-05T10:00:00Z"), "2019-11-08T00:00:00Z");
  EXPECT_EQ(next("0 0 30 2 *", "2019-11-05T10:00:00Z"), "none");
  for (const char* bad : {"", "* * * *", "60 * * * *", "a * * * *", "1-0 * * * *", "*/0 * * * *"})
    EXPECT_FALSE(Recurrence::parse(bad)) << bad;
}

}  // namespace
}  // namespace sim::autoscaling
