// The limits of instant fleets: one instance type, one zone, a least capacity.
#include <gtest/gtest.h>

#include "fakes/ec2/spot/fleet_for_test.h"

namespace fakes {
namespace {

using Texts = std::vector<std::string>;

// p3.2xlarge has three slots in 2a and one in 2b, and m4.xlarge has four in 2b.
struct LimitedFleets : FleetWorld {
  LimitedFleets() : FleetWorld(prices_of_two_types()) {
    market.set_capacity({"p3.2xlarge", "us-west-2a"}, 3);
    market.set_capacity({"p3.2xlarge", "us-west-2b"}, 1);
    market.set_capacity({"m4.xlarge", "us-west-2b"}, 4);
  }
  Answer make(const std::string& units, Fields more) const {
    more.insert(more.end(), {{kLaunch + "Overrides.1.InstanceType", "p3.2xlarge"},
                             {kLaunch + "Overrides.2.InstanceType", "m4.xlarge"}});
    Fields fields = fleet(more, "instant");
    for (auto& [name, value] : fields)
      if (name == kTargets + "TotalTargetCapacity") value = units;
    return ec2("CreateFleet", fields);
  }
  static std::size_t launched(const Answer& answer) {
    return answer.all("fleetInstanceSet/item/instanceIds/item").size();
  }
};

const std::string kType = "SpotOptions.SingleInstanceType",
                  kZone = "SpotOptions.SingleAvailabilityZone",
                  kLeast = "SpotOptions.MinTargetCapacity";

TEST(InstantFleet, LaunchesOneTypeThatHasAllTheCapacity) {
  LimitedFleets t;
  const Answer free = t.make("8", {});
  EXPECT_EQ(LimitedFleets::launched(free), 8U) << "of both types";
  LimitedFleets u;
  const Answer made = u.make("4", {{kType, "true"}});
  EXPECT_EQ(made.all("fleetInstanceSet/item/instanceType"), Texts{"m4.xlarge"})
      << "the cheapest type";
  EXPECT_EQ(LimitedFleets::launched(made), 4U);
  EXPECT_EQ(u.described(made.at("fleetId"), "spotOptions/singleInstanceType"), "true");
}

TEST(InstantFleet, TakesTheTypeOrTheZoneThatHasMost) {
  LimitedFleets t;
  t.market.set_capacity({"m4.xlarge", "us-west-2b"}, 2);
  const Answer type = t.make("4", {{kType, "true"}});
  EXPECT_EQ(type.all("fleetInstanceSet/item/instanceType"), (Texts{"p3.2xlarge", "p3.2xlarge"}));
  EXPECT_EQ(LimitedFleets::launched(type), 4U);
  LimitedFleets u;
  const Answer zone = u.make("8", {{kZone, "true"}});
  EXPECT_EQ(LimitedFleets::launched(zone), 5U);
  for (const std::string& found :
       zone.all("fleetInstanceSet/item/launchTemplateAndOverrides/overrides/availabilityZone"))
    EXPECT_EQ(found, "us-west-2b");
}

TEST(InstantFleet, LaunchesNothingBelowItsLeastCapacity) {
  LimitedFleets t;
  const Answer none = t.make("8", {{kZone, "true"}, {kLeast, "6"}});
  EXPECT_EQ(LimitedFleets::launched(none), 0U);
  EXPECT_EQ(none.at("errorSet/item/errorCode"), "InsufficientInstanceCapacity");
  EXPECT_TRUE(t.cloud.instances().empty());
  EXPECT_EQ(LimitedFleets::launched(t.make("8", {{kZone, "true"}, {kLeast, "5"}})), 5U);
}

TEST(InstantFleet, WithALimitThatCannotBeIsRefused) {
  LimitedFleets t;
  EXPECT_EQ(t.make("1", {{kLeast, "1"}}).code(), "InvalidFleetConfig") << "of which type or zone?";
  EXPECT_EQ(t.make("1", {{kZone, "true"}, {kLeast, "1001"}}).code(), "InvalidParameterValue");
  EXPECT_EQ(t.make("4", {{kZone, "true"}, {kLeast, "5"}}).code(), "InvalidParameterValue")
      << "above the target";
  EXPECT_EQ(
      t.make("4", {{kTargets + "OnDemandTargetCapacity", "1"}, {kZone, "true"}, {kLeast, "4"}})
          .code(),
      "InvalidParameterValue")
      << "above the target of this part";
  EXPECT_EQ(t.make("1", {{"ValidFrom", "2019-11-05T11:00:00Z"}}).code(), "UnsupportedOperation");
}

TEST(InstantFleet, CountsAQuotaOnceForAllItsPools) {
  LimitedFleets t;
  t.market.set_capacity({"p3.2xlarge", "us-west-2b"}, 3);
  t.market.set_quotas({.spot_vcpus = 32});  // four instances with 8 vCPUs
  const Fields limits{{kType, "true"}, {kLeast, "5"}};
  t.market.set_capacity({"m4.xlarge", "us-west-2b"}, 0);
  const Answer none = t.make("6", limits);
  EXPECT_EQ(LimitedFleets::launched(none), 0U);
  EXPECT_TRUE(t.cloud.instances().empty());
  EXPECT_EQ(LimitedFleets::launched(t.make("6", {{kType, "true"}, {kLeast, "4"}})), 4U);
}

TEST(InstantFleet, CountsOnDemandVcpusOnceForAllItsPools) {
  LimitedFleets t;
  t.market.set_quotas({.on_demand_vcpus = 8});  // two m4.xlarge or one p3.2xlarge
  const auto make = [&](const char* least) {
    return t.make("4", {{kTargets + "OnDemandTargetCapacity", "4"},
                        {"OnDemandOptions.SingleInstanceType", "true"},
                        {"OnDemandOptions.MinTargetCapacity", least}});
  };
  const Answer none = make("3");
  EXPECT_EQ(LimitedFleets::launched(none), 0U);
  EXPECT_EQ(none.at("errorSet/item/lifecycle"), "on-demand");
  EXPECT_EQ(LimitedFleets::launched(make("2")), 2U);
}

TEST(InstantFleet, CountsAPlacementGroupOnceForBothParts) {
  LimitedFleets t;
  t.ec2("CreatePlacementGroup", {{"GroupName", "apart"}, {"Strategy", "spread"}});
  t.ec2("CreateLaunchTemplate", {{"LaunchTemplateName", "spread"},
                                 {"LaunchTemplateData.ImageId", "ami-0123456789abcdef0"},
                                 {"LaunchTemplateData.InstanceType", "m4.xlarge"},
                                 {"LaunchTemplateData.Placement.GroupName", "apart"}});
  const auto make = [&](const char* least) {
    return t.ec2("CreateFleet",
                 {{"Type", "instant"},
                  {kLaunch + "LaunchTemplateSpecification.LaunchTemplateName", "spread"},
                  {kLaunch + "LaunchTemplateSpecification.Version", "$Latest"},
                  {kFirstOverride + "AvailabilityZone", "us-west-2b"},
                  {kTargets + "TotalTargetCapacity", "8"},
                  {kTargets + "OnDemandTargetCapacity", "4"},
                  {kTargets + "DefaultTargetCapacityType", "spot"},
                  {kZone, "true"},
                  {kLeast, least}});
  };
  EXPECT_EQ(LimitedFleets::launched(make("4")), 0U) << "the group has seven slots";
  EXPECT_EQ(LimitedFleets::launched(make("3")), 7U);
}

TEST(InstantFleet, ReportsErrorsOfThePartBelowItsMinimum) {
  LimitedFleets t;
  const Answer none =
      t.make("8", {{kTargets + "OnDemandTargetCapacity", "1"}, {kZone, "true"}, {kLeast, "6"}});
  EXPECT_EQ(LimitedFleets::launched(none), 0U);
  for (const std::string& lifecycle : none.all("errorSet/item/lifecycle"))
    EXPECT_EQ(lifecycle, "spot");
  EXPECT_FALSE(none.all("errorSet/item/lifecycle").empty());
}

TEST(InstantFleet, LimitsItsOnDemandPartToo) {
  LimitedFleets t;
  t.market.set_on_demand_capacity({"m4.xlarge", "us-west-2a"}, 0);
  t.market.set_on_demand_capacity({"m4.xlarge", "us-west-2b"}, 1);
  t.market.set_on_demand_capacity({"m4.xlarge", "us-west-2c"}, 0);
  const Answer made = t.make("2", {{kTargets + "OnDemandTargetCapacity", "2"},
                                   {"OnDemandOptions.SingleInstanceType", "true"},
                                   {"OnDemandOptions.MinTargetCapacity", "2"}});
  EXPECT_EQ(made.at("fleetInstanceSet/item/instanceType"), "p3.2xlarge") << "it has room for both";
  EXPECT_EQ(LimitedFleets::launched(made), 2U);
  EXPECT_EQ(made.at("fleetInstanceSet/item/lifecycle"), "on-demand");
}

}  // namespace
}  // namespace fakes
