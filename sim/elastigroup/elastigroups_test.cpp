// Groups, their targets, and the replacement of their instances.
#include "sim/elastigroup/world_for_test.h"

namespace sim::elastigroup {
namespace {

TEST(Elastigroup, LaunchesItsTargetInTheCheapestMarketWithCapacity) {
  GroupWorld w;
  w.launched(GroupWorld::spec());
  EXPECT_EQ(w.instance().spec.availability_zone, "us-west-2b");
  EXPECT_EQ(w.instance().lifecycle, cloud::Lifecycle::kSpot);
  EXPECT_EQ(w.instance().tags.at("spotinst:aws:ec2:group:id"), w.group);
  EXPECT_TRUE(w.service.any_active());
  EXPECT_TRUE(w.of_kind("elastigroup.instance").empty());  // nothing is persisted
}

TEST(Elastigroup, AnInterruptedInstanceIsReplacedAtItsNotice) {
  GroupWorld w;
  const InstanceId first = w.launched(GroupWorld::spec()).instance;
  w.cloud.interrupt(first, Notice::kGiven, "no-capacity");
  w.run(1s);
  EXPECT_NE(w.member().instance, first);
  EXPECT_EQ(w.cloud.instance(first).state, cloud::InstanceState::kRunning);
  w.run(5min);
  EXPECT_EQ(w.cloud.instance(first).state, cloud::InstanceState::kTerminated);
  EXPECT_EQ(w.cloud.instances().size(), 2u);
}

TEST(Elastigroup, AnInstanceThatIsLostWithoutNoticeIsReplacedAtOnce) {
  GroupWorld w;
  const InstanceId first = w.launched(GroupWorld::spec()).instance;
  w.cloud.interrupt(first, Notice::kNone, "no-capacity");
  w.run(1s);
  EXPECT_NE(w.member().instance, first);
  const InstanceId second = w.member().instance;
  w.cloud.terminate_instances({second});  // by the user
  w.run(1s);
  EXPECT_NE(w.member().instance, second);
}

TEST(Elastigroup, AnOrientationDeterminesTheCapacityOfAMarket) {
  for (const auto& [orientation, zone] : {std::pair{Orientation::kAvailability, "us-west-2a"},
                                          std::pair{Orientation::kBalanced, "us-west-2a"},
                                          std::pair{Orientation::kCost, "us-west-2b"},
                                          std::pair{Orientation::kCheapest, "us-west-2b"}}) {
    GroupWorld w;
    w.market.set_capacity(cloud::kA, 10);
    w.market.set_capacity(cloud::kB, 5);
    GroupSpec spec = GroupWorld::spec();
    spec.orientation = orientation;
    w.launched(std::move(spec));
    EXPECT_EQ(w.instance().spec.availability_zone, zone);
  }
}

TEST(Elastigroup, PreferredZonesComeFirstWhileTheyHaveCapacity) {
  for (const int free : {1, 0}) {
    GroupWorld w;
    w.market.set_capacity(cloud::kA, free);
    GroupSpec spec = GroupWorld::spec();
    spec.preferred_zones = {"us-west-2a"};
    w.launched(std::move(spec));
    EXPECT_EQ(w.instance().spec.availability_zone, free ? "us-west-2a" : "us-west-2b");
  }
}

TEST(Elastigroup, WithoutSpotCapacityItFallsBackToOnDemandIfItMay) {
  for (const bool may : {true, false}) {
    GroupWorld w;
    w.market.set_capacity(cloud::kA, 0);
    w.market.set_capacity(cloud::kB, 0);
    GroupSpec spec = GroupWorld::spec();
    spec.fallback_to_on_demand = may;
    w.launched(std::move(spec));
    if (may)
      EXPECT_EQ(w.instance().lifecycle, cloud::Lifecycle::kOnDemand);
    else
      EXPECT_TRUE(w.member().instance.empty());
    w.market.set_capacity(cloud::kA, 1);
    w.run(3min);  // the former goes back to spot, the latter has its first instance
    EXPECT_EQ(w.instance().lifecycle, cloud::Lifecycle::kSpot);
    EXPECT_EQ(w.instance().spec.availability_zone, "us-west-2a");
  }
}

TEST(Elastigroup, RiskIsThePercentageOfTheTargetThatRunsOnSpot) {
  GroupWorld w;
  GroupSpec spec = GroupWorld::spec();
  spec.capacity.target = 4;
  spec.risk = 50;
  w.launched(std::move(spec));
  int spot = 0;
  for (const auto& [id, instance] : w.cloud.instances())
    spot += instance.lifecycle == cloud::Lifecycle::kSpot;
  EXPECT_EQ(w.cloud.instances().size(), 4u);
  EXPECT_EQ(spot, 2);
}

TEST(Elastigroup, ALowerTargetDrainsTheNewestFirst) {
  GroupWorld w;
  GroupSpec spec = GroupWorld::spec();
  spec.capacity.target = 2;
  spec.draining_timeout = 3min;
  const InstanceId oldest = w.launched(spec).instance;
  const InstanceId newest = w.service.group(w.group).members.at(1)->instance;
  spec.capacity.target = 1;
  w.service.update(w.group, spec);
  w.run(2min);
  EXPECT_EQ(w.cloud.instance(newest).state, cloud::InstanceState::kRunning);
  w.run(5min);
  EXPECT_EQ(w.cloud.instance(newest).state, cloud::InstanceState::kTerminated);
  EXPECT_EQ(w.cloud.instance(oldest).state, cloud::InstanceState::kRunning);
  EXPECT_EQ(w.service.group(w.group).members.size(), 1u);
}

TEST(Elastigroup, ADeletedGroupEndsItsInstancesAndIsNotShown) {
  GroupWorld w;
  const InstanceId id = w.launched(GroupWorld::spec()).instance;
  w.service.remove(w.group, {});
  EXPECT_EQ(w.refusal([&] { w.service.group(w.group); }), "GROUP_DOESNT_EXIST");
  EXPECT_TRUE(w.service.groups().empty());
  w.run(5min);
  EXPECT_EQ(w.cloud.instance(id).state, cloud::InstanceState::kTerminated);
  EXPECT_FALSE(w.service.any_active());
}

TEST(Elastigroup, WhatEc2RefusesIsInTheGroupsLogOnce) {
  GroupWorld w;
  GroupSpec spec = GroupWorld::spec();
  spec.launch.user_data = std::string(20'000, 'x');
  w.launched(std::move(spec));
  w.run(10min);
  EXPECT_TRUE(w.member().instance.empty());
  int told = 0;
  for (const LogLine& line : w.service.group(w.group).log)
    told += line.message.find("User data is limited") != std::string::npos;
  EXPECT_EQ(told, 1);
}

TEST(Elastigroup, EveryStateIsReachedAndLeftOnTheGraph) {
  for (const Step& step : steps()) EXPECT_TRUE(allowed(step.from, step.to));
  EXPECT_FALSE(allowed("ACTIVE", "PAUSED"));
}

}  // namespace
}  // namespace sim::elastigroup
