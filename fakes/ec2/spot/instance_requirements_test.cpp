// Instance types that a request chooses by their attributes.
#include <gtest/gtest.h>

#include "fakes/ec2/spot/fleet_for_test.h"

namespace fakes {
namespace {

using Texts = std::vector<std::string>;

struct Requirements : FleetWorld {
  using FleetWorld::FleetWorld;

  // The names of the types that GetInstanceTypesFromInstanceRequirements finds.
  Answer ask(const Fields& more, const std::string& vcpus = "0") const {
    Fields fields{{"ArchitectureType.1", "x86_64"},
                  {"VirtualizationType.1", "hvm"},
                  {"InstanceRequirements.VCpuCount.Min", vcpus},
                  {"InstanceRequirements.MemoryMiB.Min", "0"}};
    for (const auto& [name, value] : more)
      fields.emplace_back("InstanceRequirements." + name, value);
    return ec2("GetInstanceTypesFromInstanceRequirements", fields);
  }
  Texts found(const Fields& more, const std::string& vcpus = "0") const {
    return ask(more, vcpus).all("instanceTypeSet/item/instanceType");
  }
  // A fleet that may launch any type with these attributes.
  Answer make(const Fields& more, const std::string& on_demand = "0") const {
    const std::string needs = kFirstOverride + "InstanceRequirements.";
    Fields fields{{kTargets + "OnDemandTargetCapacity", on_demand},
                  {needs + "VCpuCount.Min", "1"},
                  {needs + "MemoryMiB.Min", "0"}};
    for (const auto& [name, value] : more) fields.emplace_back(needs + name, value);
    return ec2("CreateFleet", fleet(fields, "instant"));
  }
  Texts launched(const Fields& more, const std::string& on_demand = "0") const {
    return make(more, on_demand).all("fleetInstanceSet/item/instanceType");
  }
};

TEST(InstanceRequirements, ChooseTypesByAccelerators) {
  const Requirements t;
  EXPECT_EQ(t.found({{"AcceleratorName.1", "v100"}}),
            (Texts{"p3.16xlarge", "p3.2xlarge", "p3.8xlarge", "p3dn.24xlarge"}));
  EXPECT_EQ(t.found({{"AcceleratorName.1", "v100"}, {"AcceleratorCount.Max", "1"}}),
            Texts{"p3.2xlarge"});
  EXPECT_EQ(t.found({{"AcceleratorManufacturer.1", "nvidia"},
                     {"AcceleratorTotalMemoryMiB.Min", "100000"},
                     {"AcceleratorTotalMemoryMiB.Max", "140000"},
                     {"AllowedInstanceType.1", "p*"}}),
            Texts{"p3.16xlarge"});
  for (const std::string& type : t.found({{"AcceleratorType.1", "inference"}}))
    EXPECT_TRUE(type.starts_with("inf") || type.starts_with("trn") || type.starts_with("dl2q"))
        << type;
}

TEST(InstanceRequirements, ChooseTypesByOtherAttributes) {
  const Requirements t;
  EXPECT_EQ(t.found({{"AllowedInstanceType.1", "m5.2*"}}), (Texts{"m5.24xlarge", "m5.2xlarge"}));
  EXPECT_EQ(t.found({{"AllowedInstanceType.1", "g5*.xlarge"}, {"CpuManufacturer.1", "amd"}}),
            Texts{"g5.xlarge"});
  EXPECT_EQ(t.found({{"AllowedInstanceType.1", "g5*.xlarge"}, {"CpuManufacturer.1", "intel"}}),
            Texts{});
  EXPECT_EQ(t.found({{"AllowedInstanceType.1", "m5.*"}, {"BareMetal", "required"}}),
            Texts{"m5.metal"});
  EXPECT_EQ(t.found({{"AllowedInstanceType.1", "t3.l*"}}), Texts{}) << "without burstable types";
  EXPECT_EQ(t.found({{"AllowedInstanceType.1", "t3.l*"}, {"BurstablePerformance", "included"}}),
            Texts{"t3.large"});
  EXPECT_EQ(t.found({{"AllowedInstanceType.1", "m5.*"}, {"VCpuCount.Max", "4"}}, "4"),
            Texts{"m5.xlarge"});
  EXPECT_EQ(t.found({{"AllowedInstanceType.1", "*5.large"},
                     {"MemoryGiBPerVCpu.Min", "4"},
                     {"MemoryGiBPerVCpu.Max", "4"}}),
            Texts{"m5.large"});
  const Texts previous =
      t.found({{"AllowedInstanceType.1", "m*"}, {"InstanceGeneration.1", "previous"}});
  EXPECT_FALSE(previous.empty());
  for (const std::string& type : previous)
    EXPECT_TRUE(type.starts_with("m1.") || type.starts_with("m2.") || type.starts_with("m3."));
  EXPECT_EQ(t.found({{"AllowedInstanceType.1", "m5.large"},
                     {"AllowedInstanceType.2", "p3.2xlarge"},
                     {"RequireHibernateSupport", "true"}}),
            Texts{"m5.large"});
}

TEST(InstanceRequirements, ComeInPages) {
  const Requirements t;
  const auto page = t.ec2("GetInstanceTypesFromInstanceRequirements",
                          {{"ArchitectureType.1", "x86_64"},
                           {"VirtualizationType.1", "hvm"},
                           {"MaxResults", "1"},
                           {"InstanceRequirements.VCpuCount.Min", "1"},
                           {"InstanceRequirements.MemoryMiB.Min", "1"}});
  EXPECT_EQ(page.all("instanceTypeSet/item/instanceType").size(), 1U);
  EXPECT_FALSE(page.at("nextToken").empty());
}

TEST(InstanceRequirements, ThatCannotBeAreRefused) {
  const Requirements t;
  EXPECT_EQ(t.ask({{"AllowedInstanceType.1", "m5.*"}, {"ExcludedInstanceType.1", "c5.*"}}).code(),
            "InvalidParameterCombination");
  EXPECT_EQ(t.ask({{"SpotMaxPricePercentageOverLowestPrice", "50"},
                   {"MaxSpotPriceAsPercentageOfOptimalOnDemandPrice", "50"}})
                .code(),
            "InvalidParameterCombination");
  const auto unknown = t.ask({{"NetworkBandwidthGbps.Min", "10"}});
  EXPECT_EQ(unknown.code(), "UnsupportedOperation");
  EXPECT_NE(unknown.message().find("NetworkBandwidthGbps"), std::string::npos);
  EXPECT_EQ(t.make({{"AcceleratorCount.Min", "99"}}).code(), "InvalidFleetConfig");
  EXPECT_EQ(t.ec2("CreateFleet",
                  FleetWorld::fleet({{kFirstOverride + "InstanceType", "p3.2xlarge"},
                                     {kFirstOverride + "InstanceRequirements.VCpuCount.Min", "1"},
                                     {kFirstOverride + "InstanceRequirements.MemoryMiB.Min", "1"}}))
                .code(),
            "InvalidFleetConfig");
}

TEST(InstanceRequirements, ProtectFromPrices) {
  Requirements t(prices_of_two_types());
  t.market.set_capacity({"m4.xlarge", "us-west-2b"}, 1);
  EXPECT_EQ(t.launched({}), Texts{"m4.xlarge"}) << "p3.2xlarge costs nine times as much";
  Requirements u(prices_of_two_types());
  u.market.set_capacity({"m4.xlarge", "us-west-2b"}, 1);
  EXPECT_EQ(u.launched({{"SpotMaxPricePercentageOverLowestPrice", "900"}}),
            (Texts{"m4.xlarge", "p3.2xlarge"}));
  EXPECT_EQ(u.launched({{"AcceleratorCount.Min", "1"}}), Texts{"p3.2xlarge"});
  EXPECT_EQ(u.make({{"MaxSpotPriceAsPercentageOfOptimalOnDemandPrice", "1"}}).code(),
            "InvalidFleetConfig");
  EXPECT_EQ(u.launched({{"AllowedInstanceType.1", "m5.*"}}, "2"), Texts{"m5.large"})
      << "on demand: others cost twice as much and more";
}

TEST(InstanceRequirements, AreDescribedWithTheirFleet) {
  const Requirements t;
  const auto made = t.make({{"AcceleratorName.1", "v100"}, {"VCpuCount.Max", "64"}});
  EXPECT_EQ(made.all("fleetInstanceSet/item/instanceIds/item").size(), 2U) << made.body();
  const std::string needs = "launchTemplateConfigs/item/overrides/item/instanceRequirements/";
  EXPECT_EQ(t.described(made.at("fleetId"), needs + "acceleratorNameSet/item"), "v100");
  EXPECT_EQ(t.described(made.at("fleetId"), needs + "vCpuCount/max"), "64");
}

}  // namespace
}  // namespace fakes
