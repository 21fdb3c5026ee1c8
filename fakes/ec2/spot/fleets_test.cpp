// EC2 fleets in EC2's API.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "fakes/ec2/spot/fleet_for_test.h"

namespace fakes {
namespace {

using Texts = std::vector<std::string>;

TEST(Ec2Fleet, RebalancesItsCapacity) {
  FleetWorld t;
  const std::string rebalance = "SpotOptions.MaintenanceStrategies.CapacityRebalance.";
  const auto with = [&](const Fields& more, const std::string& type = "maintain") {
    return t.ec2("CreateFleet", FleetWorld::fleet(more, type));
  };
  const Fields before_terminate{{rebalance + "ReplacementStrategy", "launch-before-terminate"},
                                {rebalance + "TerminationDelay", "300"}};
  EXPECT_EQ(
      with({{rebalance + "ReplacementStrategy", "launch"}, {rebalance + "TerminationDelay", "300"}})
          .code(),
      "InvalidFleetConfig");
  EXPECT_EQ(with({before_terminate[0]}).code(), "InvalidFleetConfig") << "without a delay";
  EXPECT_EQ(with(before_terminate, "request").code(), "InvalidFleetConfig");
  const auto id = with(before_terminate).at("fleetId");
  t.run(5min);
  const std::string shown = "spotOptions/maintenanceStrategies/capacityRebalance/";
  EXPECT_EQ(t.described(id, shown + "replacementStrategy"), "launch-before-terminate");
  EXPECT_EQ(t.described(id, shown + "terminationDelay"), "300");
  const auto first =
      t.ec2("DescribeFleetInstances", {{"FleetId", id}}).at("activeInstanceSet/item/instanceId");
  t.cloud.recommend_rebalance({first});
  t.run(1min);
  EXPECT_EQ(t.described(id, "fulfilledCapacity"), "3.0");
  t.run(10min);
  EXPECT_EQ(t.described(id, "fulfilledCapacity"), "2.0");
}

TEST(Ec2Fleet, MaintainsItsTargetAndIsDeletedWithItsInstances) {
  FleetWorld t;
  const auto id = t.create(FleetWorld::fleet({{kFirstOverride + "AvailabilityZone", "us-west-2b"},
                                              {"TagSpecification.1.ResourceType", "fleet"},
                                              {"TagSpecification.1.Tag.1.Key", "team"},
                                              {"TagSpecification.1.Tag.1.Value", "vision"}}));
  EXPECT_EQ(t.described(id, "fleetState"), "submitted");
  t.run(5min);
  EXPECT_EQ(t.described(id, "fleetState"), "active");
  EXPECT_EQ(t.described(id, "activityStatus"), "fulfilled");
  EXPECT_EQ(t.described(id, "fulfilledCapacity"), "2.0");
  EXPECT_EQ(t.described(id, "tagSet/item/value"), "vision");
  EXPECT_EQ(t.described(id, "launchTemplateConfigs/item/overrides/item/availabilityZone"),
            "us-west-2b");
  const auto active = t.ec2("DescribeFleetInstances", {{"FleetId", id}});
  const auto instances = active.all("activeInstanceSet/item/instanceId");
  ASSERT_EQ(instances.size(), 2U);
  EXPECT_EQ(t.cloud.instance({instances[0]}).tags.at("aws:ec2:fleet-id"), id);

  t.ec2("TerminateInstances", {{"InstanceId.1", instances[0]}});
  t.run(10min);
  EXPECT_EQ(t.described(id, "fulfilledCapacity"), "2.0") << "the fleet replaces what ends";
  const auto history =
      t.ec2("DescribeFleetHistory", {{"FleetId", id}, {"StartTime", "2019-11-05T00:00:00Z"}});
  EXPECT_EQ(history.all("historyRecordSet/item/eventInformation/eventSubType"),
            (Texts{"submitted", "active", "launched", "launched", "terminated", "launched"}));
  EXPECT_EQ(history.at("historyRecordSet/item/eventType"), "fleet-change");

  const std::string unknown = "fleet-00000000-0000-4000-8000-000000000000";
  const auto deleted = t.ec2("DeleteFleets", {{"FleetId.1", id},
                                              {"FleetId.2", unknown},
                                              {"FleetId.3", "sfr-1"},
                                              {"TerminateInstances", "true"}});
  EXPECT_EQ(deleted.at("successfulFleetDeletionSet/item/currentFleetState"), "deleted_terminating");
  EXPECT_EQ(deleted.all("unsuccessfulFleetDeletionSet/item/error/code"),
            (Texts{"fleetIdDoesNotExist", "fleetIdMalformed"}));
  t.run(10min);
  EXPECT_EQ(t.described(id, "fleetState"), "deleted");
  EXPECT_FALSE(t.cloud.anything_running());
}

TEST(Ec2Fleet, HasAnOnDemandPartThatIsChangedWithItsTarget) {
  FleetWorld t;
  const auto id =
      t.create(FleetWorld::fleet({{kTargets + "OnDemandTargetCapacity", "1"},
                                  {kFirstOverride + "AvailabilityZone", "us-west-2b"}}));
  t.run(5min);
  EXPECT_EQ(t.described(id, "fulfilledOnDemandCapacity"), "1.0");
  EXPECT_EQ(t.described(id, "targetCapacitySpecification/spotTargetCapacity"), "1");
  EXPECT_EQ(t.ec2("ModifyFleet", {{"FleetId", id},
                                  {kTargets + "TotalTargetCapacity", "3"},
                                  {kTargets + "OnDemandTargetCapacity", "0"},
                                  {kTargets + "DefaultTargetCapacityType", "spot"}})
                .at("return"),
            "true");
  EXPECT_EQ(t.described(id, "fleetState"), "modifying");
  t.run(10min);
  EXPECT_EQ(t.described(id, "fulfilledCapacity"), "3.0");
  EXPECT_EQ(t.described(id, "fulfilledOnDemandCapacity"), "0.0");
}

TEST(Ec2Fleet, OfTypeInstantAnswersWithItsInstances) {
  FleetWorld t;
  const auto made =
      t.ec2("CreateFleet", FleetWorld::fleet({{kTargets + "OnDemandTargetCapacity", "1"},
                                              {kFirstOverride + "AvailabilityZone", "us-west-2b"},
                                              {"TagSpecification.1.ResourceType", "instance"},
                                              {"TagSpecification.1.Tag.1.Key", "Name"},
                                              {"TagSpecification.1.Tag.1.Value", "w"}},
                                             "instant"));
  const std::string item = "fleetInstanceSet/item/";
  EXPECT_EQ(made.all(item + "lifecycle"), (Texts{"on-demand", "spot"}));
  EXPECT_TRUE(made.all("errorSet/item/errorCode").empty());
  const auto ids = made.all(item + "instanceIds/item");
  ASSERT_EQ(ids.size(), 2U);
  EXPECT_EQ(t.cloud.instance({ids[1]}).tags.at("Name"), "w");
  const auto id = made.at("fleetId");
  EXPECT_TRUE(t.ec2("DescribeFleets").all("fleetSet/item/fleetId").empty());
  EXPECT_EQ(t.described(id, "fleetState"), "active");
  EXPECT_EQ(t.ec2("DescribeFleetInstances", {{"FleetId", id}}).code(), "UnsupportedOperation");
  t.ec2("TerminateInstances", {{"InstanceId.1", ids[0]}, {"InstanceId.2", ids[1]}});
  t.run(10min);
  EXPECT_FALSE(t.cloud.anything_running()) << "nothing is replaced";
  EXPECT_EQ(t.ec2("DeleteFleets", {{"FleetId.1", id}, {"TerminateInstances", "false"}})
                .at("unsuccessfulFleetDeletionSet/item/error/code"),
            "NoTerminateInstancesNotSupported");
}

TEST(Ec2Fleet, TakesTheOlderWordForItsStrategy) {
  FleetWorld t;
  const auto id =
      t.create(FleetWorld::fleet({{"SpotOptions.AllocationStrategy", "lowestPrice"},
                                  {"OnDemandOptions.AllocationStrategy", "lowestPrice"}}));
  EXPECT_EQ(t.described(id, "spotOptions/allocationStrategy"), "lowest-price");
  EXPECT_EQ(t.described(id, "onDemandOptions/allocationStrategy"), "lowest-price");
  for (const char* options : {"SpotOptions", "OnDemandOptions"})
    EXPECT_EQ(t.ec2("CreateFleet", FleetWorld::fleet({{std::string(options) + ".AllocationStrategy",
                                                       "capacityOptimized"}}))
                  .code(),
              "InvalidParameterValue");
}

TEST(Ec2Fleet, SpreadsOverItsCheapestPools) {
  FleetWorld t;
  const auto fleet = [&](const Fields& more) {
    Fields fields = FleetWorld::fleet(more);
    fields.emplace_back(kFirstOverride + "AvailabilityZone", "us-west-2a");
    fields.emplace_back(kLaunch + "Overrides.2.AvailabilityZone", "us-west-2b");
    return fields;
  };
  const auto id = t.create(fleet({{"SpotOptions.InstancePoolsToUseCount", "2"}}));
  t.run(5min);
  std::set<std::string> zones;
  for (const auto& [name, instance] : t.cloud.instances())
    zones.insert(instance.spec.availability_zone);
  EXPECT_EQ(zones, (std::set<std::string>{"us-west-2a", "us-west-2b"}));
  EXPECT_EQ(t.described(id, "spotOptions/instancePoolsToUseCount"), "2");
  EXPECT_EQ(t.ec2("CreateFleet", fleet({{"SpotOptions.InstancePoolsToUseCount", "2"},
                                        {"SpotOptions.AllocationStrategy", "diversified"}}))
                .code(),
            "InvalidFleetConfig");
}

TEST(Ec2Fleet, OfTypeInstantReportsWhatItCouldNotLaunch) {
  FleetWorld t;
  t.market.set_capacity({"p3.2xlarge", "us-west-2b"}, 1);
  const auto made =
      t.ec2("CreateFleet",
            FleetWorld::fleet({{kFirstOverride + "AvailabilityZone", "us-west-2b"}}, "instant"));
  EXPECT_EQ(made.all("fleetInstanceSet/item/instanceIds/item").size(), 1U);
  const std::string error = "errorSet/item/";
  EXPECT_EQ(made.at(error + "errorCode"), "InsufficientInstanceCapacity");
  EXPECT_EQ(made.at(error + "lifecycle"), "spot");
  EXPECT_EQ(made.at(error + "launchTemplateAndOverrides/overrides/availabilityZone"), "us-west-2b");
  EXPECT_EQ(t.described(made.at("fleetId"), "errorSet/item/errorCode"),
            "InsufficientInstanceCapacity");
}

TEST(Ec2Fleet, ThatCannotBeIsRefused) {
  FleetWorld t;
  const auto code = [&](const Fields& more) {
    return t.ec2("CreateFleet", FleetWorld::fleet(more)).code();
  };
  EXPECT_EQ(code({{kTargets + "SpotTargetCapacity", "3"}}), "InvalidTargetCapacitySpecification");
  EXPECT_EQ(code({{kFirstOverride + "AvailabilityZone", "us-west-2b"},
                  {kLaunch + "Overrides.2.AvailabilityZone", "us-west-2b"}}),
            "InvalidFleetConfig")
      << "a pool twice";
  EXPECT_EQ(code({{"SpotOptions.SingleInstanceType", "true"}}), "InvalidFleetConfig")
      << "only an instant fleet";
  EXPECT_EQ(code({{"SpotOptions.MaxTotalPrice", "0"}}), "InvalidParameterValue");
  EXPECT_EQ(code({{"OnDemandOptions.MaxTotalPrice", "much"}}), "InvalidParameterValue");
  EXPECT_EQ(t.ec2("DescribeFleets", {{"FleetId.1", "fleet-1"}}).code(), "InvalidFleetId.Malformed");
  EXPECT_EQ(
      t.ec2("DescribeFleets", {{"FleetId.1", "fleet-00000000-0000-4000-8000-000000000000"}}).code(),
      "InvalidFleetId.NotFound");
}

// EC2 API reference, TargetCapacitySpecificationRequest.
TEST(Ec2Fleet, LaunchesUpToItsMaximumPricesPerHour) {
  FleetWorld t;
  Fields fields = FleetWorld::fleet({{kTargets + "OnDemandTargetCapacity", "4"},
                                     {kFirstOverride + "AvailabilityZone", "us-west-2b"},
                                     {"SpotOptions.MaxTotalPrice", "1.9"},
                                     {"OnDemandOptions.MaxTotalPrice", "3.06"}});
  for (auto& [name, value] : fields)
    if (name == kTargets + "TotalTargetCapacity") value = "9";
  const auto id = t.create(fields);
  t.run(5min);
  EXPECT_EQ(t.described(id, "fulfilledOnDemandCapacity"), "1.0") << "3.06 each";
  EXPECT_EQ(t.described(id, "fulfilledCapacity"), "3.0") << "two spot instances of 0.9";
  EXPECT_EQ(t.described(id, "spotOptions/maxTotalPrice"), "1.9");
  EXPECT_EQ(t.described(id, "onDemandOptions/maxTotalPrice"), "3.06");
}

TEST(Ec2Fleet, StopsWhatIsInterruptedIfItMaintainsItsCapacity) {
  FleetWorld t;
  const Fields stop{{"SpotOptions.InstanceInterruptionBehavior", "stop"}};
  EXPECT_EQ(t.ec2("CreateFleet", FleetWorld::fleet(stop, "request")).code(),
            "InvalidParameterCombination");
  const Fields hibernate{{"SpotOptions.InstanceInterruptionBehavior", "hibernate"}};
  EXPECT_EQ(t.ec2("CreateFleet", FleetWorld::fleet(hibernate, "request")).code(),
            "InvalidParameterCombination");
  EXPECT_EQ(t.ec2("CreateFleet", FleetWorld::fleet(hibernate)).code(),
            "UnsupportedHibernationConfiguration");
  const auto id = t.create(FleetWorld::fleet(stop));
  t.run(2min);
  EXPECT_EQ(t.described(id, "spotOptions/instanceInterruptionBehavior"), "stop");
  const auto instance = t.cloud.fleet({id}).instances.at(0);
  t.cloud.interrupt(instance, sim::cloud::Notice::kGiven, "no-capacity");
  t.run(10min);
  EXPECT_EQ(t.cloud.instance(instance).state, sim::cloud::InstanceState::kRunning);
  EXPECT_EQ(t.cloud.instances().size(), 2U) << "it started again, and none replaced it";
}

TEST(Ec2Fleet, WaitsForTheBeginningOfItsValidity) {
  FleetWorld t;
  const auto id = t.create(FleetWorld::fleet({{"ValidFrom", "2019-11-05T11:00:00Z"}}));
  t.run(59min);
  EXPECT_EQ(t.described(id, "fleetState"), "submitted");
  t.run(5min);
  EXPECT_EQ(t.described(id, "fulfilledCapacity"), "2.0");
  EXPECT_EQ(t.ec2("CreateFleet", FleetWorld::fleet({{"ValidFrom", "2019-11-05T13:00:00Z"},
                                                    {"ValidUntil", "2019-11-05T12:00:00Z"}}))
                .code(),
            "InvalidFleetConfig");
}

}  // namespace
}  // namespace fakes
