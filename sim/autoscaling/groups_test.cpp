#include "sim/autoscaling/groups.h"

#include "sim/autoscaling/world_for_test.h"

namespace sim::autoscaling {
namespace {

TEST(AutoscalingLaunchConfigurations, AreKeptByNameAndNotDeletedWhileInUse) {
  World w;
  w.groups.create_launch_configuration("lc", World::spot(), {});
  EXPECT_EQ(w.refusal([&] { w.groups.create_launch_configuration("lc", World::spot(), {}); }),
            "AlreadyExists");
  w.make(World::settings(World::spot()));
  EXPECT_EQ(w.refusal([&] { w.groups.delete_launch_configuration("lc"); }), "ResourceInUse");
  EXPECT_EQ(w.refusal([&] { w.groups.launch_configuration("other"); }), "ValidationError");
  w.groups.remove("g", Force::kYes);
  w.run(1min);
  w.groups.delete_launch_configuration("lc");
  EXPECT_TRUE(w.groups.launch_configurations().empty());
}

TEST(AutoscalingGroups, LaunchesWhatIsDesiredWithTagsAndReasons) {
  World w;
  w.groups.create("g", World::settings(World::spot(), 2),
                  {{"Name", {"train", true}}, {"own", {"x"}}}, {});
  EXPECT_TRUE(w.groups.any_may_launch());
  w.run(6s);
  EXPECT_FALSE(w.groups.any_may_launch());
  ASSERT_EQ(w.states(), "Pending Pending");
  const cloud::Instance& instance = w.cloud.instance(w.member().id);
  EXPECT_EQ(instance.tags, (cloud::Tags{{"Name", "train"}, {"aws:autoscaling:groupName", "g"}}));
  EXPECT_EQ(
      w.groups.activities().at(0).cause,
      "At 2019-11-05T10:00:00Z a user request created an AutoScalingGroup changing the desired "
      "capacity from 0 to 2.  At 2019-11-05T10:00:05Z an instance was started in response to a "
      "difference between desired and actual capacity, increasing the capacity from 0 to 2.");
  EXPECT_EQ(name(w.last().status), "PreInService");
  w.run(1min);
  EXPECT_EQ(w.states(), "InService InService");
  EXPECT_EQ(w.last().description, "Launching a new EC2 instance: " + w.member(1).id.value);
  EXPECT_EQ(name(w.last().status), "Successful");
  EXPECT_NE(w.member(0).zone, w.member(1).zone);
}

TEST(AutoscalingGroups, ReplacesAnInterruptedInstanceWhenTheHealthCheckFindsIt) {
  World w;
  w.running();
  const InstanceId first = w.member().id;
  w.cloud.interrupt(first, cloud::Notice::kGiven, "no-capacity");
  w.run(2min);  // until after the notice; without capacity rebalancing nothing happens
  EXPECT_EQ(w.groups.group("g").members.size(), 1u);
  w.run(70s);
  EXPECT_EQ(w.way(first), "Pending InService Terminating Terminated");
  ASSERT_EQ(w.groups.activities().size(), 3u);
  EXPECT_NE(
      w.groups.activities().at(1).cause.find(
          "an instance was taken out of service in response to an EC2 health check indicating "
          "it has been terminated or stopped."),
      std::string::npos);
  EXPECT_NE(w.last().cause.find("an instance was launched in response to an unhealthy instance "
                                "needing to be replaced."),
            std::string::npos);
  w.run(1min);
  EXPECT_EQ(w.states(), "InService");
}

TEST(AutoscalingGroups, MayLaunchBeforeTheHealthCheckFindsTheEndOfAnInstance) {
  World w;
  w.running();
  EXPECT_FALSE(w.groups.any_may_launch());
  w.cloud.guest_powered_off(w.member().id);
  w.run(1s);
  EXPECT_EQ(w.states(), "InService");
  EXPECT_TRUE(w.groups.any_may_launch());
}

TEST(AutoscalingGroups, RepeatsAFailedLaunchAfterGrowingPauses) {
  World w;
  w.cloud.market().set_capacity(kA, 0);
  w.cloud.market().set_capacity(kB, 0);
  w.make(World::settings(World::spot()));
  w.run(6s);
  EXPECT_EQ(w.last().message,
            "Could not launch Spot Instances. InsufficientInstanceCapacity - There is no Spot "
            "capacity available that matches your request. Launching EC2 instance failed.");
  EXPECT_EQ(w.last().description,
            "Launching a new EC2 instance.  Status Reason: " + w.last().message);
  w.run(10min);  // 20 s, 40 s, 80 s, 160 s
  EXPECT_EQ(w.groups.activities().size(), 5u);
  EXPECT_TRUE(w.groups.any_may_launch());
  w.cloud.market().set_capacity(kB, 1);
  w.run(10min);
  EXPECT_EQ(w.states(), "InService");
}

TEST(AutoscalingGroups, ReportsThatTheMaximumPriceIsTooLow) {
  World w;
  w.make(World::settings(World::spot("p3.2xlarge", "0.5")));
  w.run(6s);
  EXPECT_TRUE(
      w.last().message.starts_with("Could not launch Spot Instances. SpotMaxPriceTooLow - "))
      << w.last().message;
}

TEST(AutoscalingGroups, ReportsWhyAnInstanceCannotBeLaunched) {
  World w;
  auto request = World::on_demand();
  request.spec.instance_type = "none.large";
  w.make(World::settings(request));
  w.run(6s);
  EXPECT_EQ(w.last().message,
            "Invalid value 'none.large' for InstanceType. Launching EC2 instance failed.");
}

TEST(AutoscalingGroups, ShrinksByItsTerminationPolicy) {
  World w;
  auto settings = World::settings(World::spot(), 1);
  settings.termination_policies = {"NewestInstance"};
  w.make(settings);
  w.run(1min);
  w.groups.set_desired("g", 3, Cooldown::kIgnored);
  w.run(1min);
  EXPECT_EQ(w.refusal([&] { w.groups.set_desired("g", 2, Cooldown::kHonored); }),
            "ScalingActivityInProgress");
  const InstanceId oldest = w.member().id;
  w.groups.set_protection("g", {w.member(2).id}, Protection::kOn);
  const InstanceId kept = w.member(2).id;
  w.groups.set_desired("g", 2, Cooldown::kIgnored);
  w.run(2min);
  // The zone with more instances loses one. Its newest instance is protected.
  ASSERT_EQ(w.states(), "InService InService");
  EXPECT_TRUE(w.groups.group("g").find(kept));
  w.groups.set_desired("g", 0, Cooldown::kIgnored);
  w.run(2min);
  EXPECT_EQ(w.states(), "InService") << "the protected one stays";
  EXPECT_NE(w.last().cause.find("was selected for termination."), std::string::npos);
  EXPECT_FALSE(w.groups.group("g").find(oldest));
}

TEST(AutoscalingGroups, ChecksSizes) {
  World w;
  EXPECT_EQ(w.refusal([&] { w.make(World::settings(World::spot(), 5)); }), "ValidationError");
  w.running();
  EXPECT_EQ(w.refusal([&] { w.groups.set_desired("g", 5, Cooldown::kIgnored); }),
            "ValidationError");
  EXPECT_EQ(w.refusal([&] { w.groups.group("none"); }), "ValidationError");
  EXPECT_EQ(w.refusal([&] { w.make(World::settings(World::spot())); }), "AlreadyExists");
}

TEST(AutoscalingGroups, IsDeletedWithForceOrWhenEmpty) {
  World w;
  w.make(World::settings(World::spot()));
  w.run(10s);
  EXPECT_EQ(w.refusal([&] { w.groups.remove("g", Force::kNo); }), "ScalingActivityInProgress");
  w.run(1min);
  EXPECT_EQ(w.refusal([&] { w.groups.remove("g", Force::kNo); }), "ResourceInUse");
  w.groups.remove("g", Force::kYes);
  EXPECT_FALSE(w.groups.any_may_launch());
  EXPECT_EQ(w.states(), "Terminating");
  w.run(1min);
  EXPECT_TRUE(w.groups.groups().empty());
  EXPECT_EQ(w.path("autoscaling.group", "g", "what"), "created deleting deleted");
  EXPECT_FALSE(w.cloud.anything_running());
}

TEST(AutoscalingGroups, BalancesItsZones) {
  World w;
  w.cloud.market().set_capacity(kA, 0);
  w.running(2);
  EXPECT_EQ(w.member(0).zone + w.member(1).zone, "us-west-2bus-west-2b");
  w.cloud.market().set_capacity(kA, 5);
  w.run(8min);  // one more in 2a, then one of 2b is terminated
  ASSERT_EQ(w.states(), "InService InService");
  EXPECT_NE(w.member(0).zone, w.member(1).zone);
  EXPECT_EQ(w.groups.activities().size(), 4u);
}

TEST(AutoscalingGroups, LeavesAZoneThatItNoLongerHas) {
  World w;
  w.running(2);
  Settings moved = w.groups.group("g").settings;
  moved.places = {{"us-west-2b"}};
  w.groups.update("g", moved);
  w.run(20min);
  ASSERT_EQ(w.states(), "InService InService");
  EXPECT_EQ(w.member(0).zone + w.member(1).zone, "us-west-2bus-west-2b");
  EXPECT_EQ(w.groups.activities().size(), 4u) << "one launch and one end, and then rest";
}

TEST(AutoscalingGroups, DoesNotBalanceZonesWhereOnlyTheNewInstanceCouldGo) {
  World w;
  w.cloud.market().set_capacity(kA, 0);
  w.running(2);
  w.groups.set_protection("g", {w.member(0).id, w.member(1).id}, Protection::kOn);
  w.cloud.market().set_capacity(kA, 5);
  w.run(20min);
  EXPECT_EQ(w.groups.activities().size(), 2u);
}

TEST(AutoscalingGroups, DoesNothingThatIsSuspended) {
  World w;
  w.running();
  w.groups.suspend("g", {"Launch", "HealthCheck"});
  w.groups.set_desired("g", 2, Cooldown::kIgnored);
  w.cloud.interrupt(w.member().id, cloud::Notice::kNone, "no-capacity");
  w.run(5min);
  EXPECT_EQ(w.states(), "InService");
  EXPECT_FALSE(w.groups.any_may_launch());
  w.groups.resume("g", {"Launch", "HealthCheck"});
  w.run(5min);
  EXPECT_EQ(w.states(), "InService InService");
}

TEST(AutoscalingCalls, TerminateAnInstanceAndKeepOrLowerTheCapacity) {
  World w;
  w.running(2);
  const InstanceId first = w.member().id;
  w.groups.terminate(first, Desired::kDecremented);
  EXPECT_EQ(w.last().cause,
            "At 2019-11-05T10:01:00Z instance " + first.value +
                " was taken out of service in response to a user request, shrinking "
                "the capacity from 2 to 1.");
  w.run(2min);
  EXPECT_EQ(w.states(), "InService");
  w.groups.terminate(w.member().id, Desired::kKept);
  w.run(2min);
  EXPECT_EQ(w.states(), "InService");
  EXPECT_EQ(w.refusal([&] { w.groups.terminate(first, Desired::kKept); }), "ValidationError");
}

TEST(AutoscalingCalls, ReplaceWhatTheUserCallsUnhealthy) {
  World w;
  auto settings = World::settings(World::spot());
  settings.grace_period = 300;
  w.make(settings);
  w.run(1min);
  const InstanceId first = w.member().id;
  w.groups.set_health(first, Health::kUnhealthy, GracePeriod::kRespected);
  w.run(1min);
  EXPECT_EQ(w.states(), "InService") << "within its grace period";
  w.groups.set_health(first, Health::kUnhealthy, GracePeriod::kIgnored);
  w.run(2min);
  EXPECT_EQ(w.way(first), "Pending InService Terminating Terminated");
  EXPECT_EQ(w.states(), "InService");
}

TEST(AutoscalingCalls, DetachFromStandbyLowersTheCapacityWhereAsked) {
  World w;
  w.running(2);
  const InstanceId first = w.member().id;
  w.groups.enter_standby("g", {first}, Desired::kKept);
  w.run(1min);
  EXPECT_EQ(w.states(), "Standby InService InService");
  w.groups.detach("g", {first}, Desired::kDecremented);
  w.run(2min);
  EXPECT_EQ(w.states(), "InService");
}

// Amazon EC2 Auto Scaling User Guide, "Tag Auto Scaling groups and instances".
TEST(AutoscalingCalls, DetachTakesTheGroupsTagAwayAndAttachPutsAllOn) {
  World w;
  w.running(2);
  w.groups.put_tag("g", "team", {"vision", true});
  w.groups.put_tag("g", "quiet", {"x", false});
  const InstanceId first = w.member().id;
  const auto tags = [&] { return w.cloud.instance(first).tags; };
  EXPECT_EQ(tags(), (cloud::Tags{{"aws:autoscaling:groupName", "g"}}));
  w.groups.detach("g", {first}, Desired::kDecremented);
  EXPECT_EQ(tags(), cloud::Tags{});
  EXPECT_TRUE(w.cloud.tagged("aws:autoscaling:groupName", "g").contains(w.member().id.value));
  EXPECT_FALSE(w.cloud.tagged("aws:autoscaling:groupName", "g").contains(first.value));
  w.groups.attach("g", {first});
  EXPECT_EQ(tags(), (cloud::Tags{{"aws:autoscaling:groupName", "g"}, {"team", "vision"}}));
}

TEST(AutoscalingCalls, DetachAndAttachInstancesAndMoveThemToStandby) {
  World w;
  w.running(2);
  const InstanceId first = w.member().id, second = w.member(1).id;
  w.groups.detach("g", {first}, Desired::kDecremented);
  w.run(1min);
  EXPECT_EQ(w.states(), "InService");
  EXPECT_EQ(w.cloud.instance(first).state, cloud::InstanceState::kRunning);
  w.groups.attach("g", {first});
  w.run(1min);
  EXPECT_EQ(w.states(), "InService InService");
  w.groups.enter_standby("g", {second}, Desired::kDecremented);
  w.run(1min);
  EXPECT_EQ(w.states(), "Standby InService");
  w.groups.exit_standby("g", {second});
  w.run(1min);
  EXPECT_EQ(w.states(), "InService InService");
  EXPECT_EQ(w.refusal([&] { w.groups.exit_standby("g", {second}); }), "ValidationError");
}

}  // namespace
}  // namespace sim::autoscaling
