// What placement groups mean for launches: clusters stay in one zone, and spread groups have seven
// running instances in each zone.
#include "sim/cloud/error.h"
#include "sim/cloud/stopping_world_for_test.h"

namespace sim::cloud {
namespace {

struct GroupedWorld : StoppingWorld {
  GroupedWorld() {
    groups.create("near", "cluster", 0);
    groups.create("apart", "spread", 0);
    groups.create("parts", "partition", 3);
  }
  static LaunchSpec in(const std::string& group, const std::string& zone = "us-west-2b") {
    return {.instance_type = "p3.2xlarge", .availability_zone = zone, .placement_group = group};
  }
  std::string message(const LaunchSpec& spec, int count = 1) {
    try {
      cloud.run_instances(spec, count);
    } catch (const ApiError& error) {
      return error.what();
    }
    return "";
  }
  std::string zone_of(const InstanceId& id) { return cloud.instance(id).spec.availability_zone; }

  vpc::PlacementGroups& groups = cloud.network().placement_groups;
};

TEST(PlacementGroups, KeepAClusterInOneZone) {
  GroupedWorld w;
  const InstanceId first = w.cloud.run_instances(w.in("near"), 1).at(0);
  EXPECT_EQ(w.refusal([&] { w.cloud.run_instances(w.in("near", "us-west-2a"), 1); }),
            "InvalidPlacementGroup.InUse");
  EXPECT_EQ(w.message(w.in("near", "us-west-2a")),
            "The placement group 'near' is in use in another availability zone: us-west-2b");
  EXPECT_EQ(w.zone_of(w.cloud.run_instances(w.in("near", ""), 1).at(0)), "us-west-2b")
      << "the zone that EC2 chooses";
  const SpotRequestId elsewhere =
      w.cloud.request_spot_instances(w.in("near", "us-west-2a"), 1, "one-time").at(0);
  const SpotRequestId anywhere =
      w.cloud.request_spot_instances(w.in("near", ""), 1, "one-time").at(0);
  w.run(1min);
  EXPECT_EQ(w.request(elsewhere).status_code, "placement-group-constraint");
  EXPECT_EQ(w.zone_of(w.request(anywhere).instance), "us-west-2b");
  EXPECT_EQ(w.refusal([&] { w.cloud.run_spot_instances(w.in("near", "us-west-2a"), 1, 1); }),
            "InvalidPlacementGroup.InUse");
  EXPECT_EQ(w.refusal([&] { w.groups.remove("near"); }), "InvalidPlacementGroup.InUse");
  w.cloud.stop_instances({first});
  w.run(5min);
  EXPECT_EQ(w.cloud.instance(first).state, InstanceState::kStopped);
  for (const auto& [id, instance] : w.cloud.instances()) w.cloud.terminate_instances({id});
  w.run(5min);
  EXPECT_EQ(w.request(elsewhere).status_code, "fulfilled") << "the others have left the group";
  EXPECT_EQ(w.zone_of(w.cloud.run_instances(w.in("near", "us-west-2a"), 1).at(0)), "us-west-2a");
}

TEST(PlacementGroups, HaveRoomAgainWhenAnInstanceOfAnotherTypeEnds) {
  GroupedWorld w;
  LaunchSpec other = w.in("near");
  other.instance_type = "m4.xlarge";
  const InstanceId first = w.cloud.run_instances(other, 1).at(0);
  const SpotRequestId waits =
      w.cloud.request_spot_instances(w.in("near", "us-west-2a"), 1, "one-time").at(0);
  w.run(1min);
  EXPECT_EQ(w.request(waits).status_code, "placement-group-constraint");
  w.cloud.terminate_instances({first});
  w.run(5min);
  EXPECT_EQ(w.request(waits).status_code, "fulfilled");
}

TEST(PlacementGroups, HaveRoomAgainWhenAStoppedInstanceEnds) {
  for (const Duration stopped_for : {Duration{1s}, Duration{5min}}) {  // stopping, stopped
    GroupedWorld w;
    const InstanceId first = w.cloud.run_instances(w.in("near"), 1).at(0);
    const SpotRequestId waits =
        w.cloud.request_spot_instances(w.in("near", "us-west-2a"), 1, "one-time").at(0);
    w.run(1min);
    w.cloud.stop_instances({first});
    w.run(stopped_for);
    EXPECT_EQ(w.request(waits).status_code, "placement-group-constraint");
    w.cloud.terminate_instances({first});
    w.run(5min);
    EXPECT_EQ(w.request(waits).status_code, "fulfilled");
  }
}

TEST(PlacementGroups, SpreadSevenRunningInstancesOverAZone) {
  GroupedWorld w;
  EXPECT_EQ(
      w.message(w.in("apart"), 8),
      "We currently do not have sufficient capacity to launch all of the additional requested "
      "instances into Placement Group 'apart'.");
  const auto all = w.cloud.run_instances(w.in("apart"), 1, 20);
  EXPECT_EQ(all.size(), 7u);
  EXPECT_EQ(w.refusal([&] { w.cloud.run_instances(w.in("apart"), 1); }),
            "InsufficientInstanceCapacity");
  EXPECT_EQ(w.cloud.run_instances(w.in("apart", "us-west-2a"), 1, 20).size(), 7u);
  const SpotRequestId waits = w.cloud.request_spot_instances(w.in("apart"), 1, "one-time").at(0);
  w.run(1min);
  EXPECT_EQ(w.request(waits).status_code, "placement-group-constraint");
  w.cloud.stop_instances({all[0]});
  w.run(10min);
  EXPECT_EQ(w.request(waits).status_code, "fulfilled") << "a stopped instance needs no hardware";
  EXPECT_EQ(w.refusal([&] { w.cloud.start_instances({all[0]}); }), "InsufficientInstanceCapacity");
  w.cloud.terminate_instances({all[1]});
  w.run(5min);
  w.cloud.start_instances({all[0]});
  w.run(5min);
  EXPECT_EQ(w.cloud.instance(all[0]).state, InstanceState::kRunning);
}

TEST(PlacementGroups, GiveInstancesThePartitionWithTheFewest) {
  GroupedWorld w;
  const auto all = w.cloud.run_instances(w.in("parts"), 4);
  const auto partition = [&](const InstanceId& id) { return w.cloud.instance(id).spec.partition; };
  EXPECT_EQ(partition(all[0]), 1);
  EXPECT_EQ(partition(all[2]), 3);
  EXPECT_EQ(partition(all[3]), 1);
  LaunchSpec chosen = w.in("parts");
  chosen.partition = 3;
  EXPECT_EQ(partition(w.cloud.run_instances(chosen, 1).at(0)), 3);
  chosen.partition = 4;
  EXPECT_EQ(w.refusal([&] { w.cloud.run_instances(chosen, 1); }), "InvalidParameterValue");
}

TEST(PlacementGroups, LimitFleetsToTheirZones) {
  GroupedWorld w;
  SpotFleetRequest request = w.fleet_request(20);
  request.config.launch_specs = {w.in("apart", "us-west-2a, us-west-2b")};
  const FleetId fleet = w.cloud.request_spot_fleet(request);
  w.run(5min);
  EXPECT_EQ(w.cloud.fleet(fleet).instances.size(), 14u) << "seven in each zone";
}

TEST(PlacementGroups, CountOneZoneOfAClusterForAnInstantFleet) {
  GroupedWorld w;
  w.market.set_capacity(kA, 2);
  w.market.set_capacity(kB, 2);
  SpotFleetRequest request = w.fleet_request(4);
  request.config.kind = FleetKind::kEc2Fleet;
  request.config.type = "instant";
  request.config.launch_specs = {w.in("near", "us-west-2a, us-west-2b")};
  request.config.spot_limits = {.single_type = true, .least = 3};
  EXPECT_TRUE(w.cloud.fleet(w.cloud.request_spot_fleet(request)).instances.empty());
  request.config.spot_limits.least = 2;
  EXPECT_EQ(w.cloud.fleet(w.cloud.request_spot_fleet(request)).instances.size(), 2u);
}

TEST(PlacementGroups, RefuseWhatEc2Refuses) {
  GroupedWorld w;
  EXPECT_EQ(w.refusal([&] { w.cloud.run_instances(w.in("none"), 1); }),
            "InvalidPlacementGroup.Unknown");
  LaunchSpec small = w.in("near");
  small.instance_type = "t2.micro";
  EXPECT_EQ(w.message(small),
            "Cluster placement groups are not supported by the 't2.micro' instance type. Specify a "
            "supported instance type or change the placement group strategy, and try again.");
  LaunchSpec stopping = w.in("near");
  stopping.stops_when_interrupted = true;
  EXPECT_EQ(w.refusal([&] { w.cloud.request_spot_instances(stopping, 1, "persistent"); }),
            "InvalidParameterCombination");
  EXPECT_EQ(w.refusal([&] { w.groups.create("near", "spread", 0); }),
            "InvalidPlacementGroup.Duplicate");
}

}  // namespace
}  // namespace sim::cloud
