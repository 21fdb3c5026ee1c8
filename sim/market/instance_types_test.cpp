#include "sim/market/instance_types.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <tuple>

namespace sim::market {
namespace {

constexpr const char* kColumns =
    "instance_type,vcpus,memory_mib,gpus,gpu,architecture,on_demand_usd_per_hour\n";

const InstanceType* builtin(std::string_view name) {
  return find_instance_type(*instance_types(), name);
}

std::string message_for(const std::string& lines) {
  try {
    parse_instance_types(lines, "own.csv");
  } catch (const InstanceTypeError& error) {
    return error.what();
  }
  return "";
}

TEST(InstanceTypes, AreAllLinesOfTheTable) {
  std::ifstream table(SPOTSIM_SOURCE_DIR "/sim/market/instance_types.csv");
  std::size_t rows = 0;
  for (std::string line; std::getline(table, line);)
    if (!line.starts_with("#") && !line.starts_with("instance_type,")) ++rows;
  EXPECT_GE(rows, 240u);
  EXPECT_EQ(instance_types()->size(), rows);
}

TEST(InstanceTypes, HavePlausibleRows) {
  for (const auto& [name, type] : *instance_types()) {
    EXPECT_EQ(type.name, name);
    EXPECT_GE(type.memory_mib, 512) << name;
    // No list price has more than six decimals: a digit too many would show here.
    for (const OnDemandPrice& price : type.on_demand)
      EXPECT_EQ(price.per_hour.nano % 1'000, 0) << name << " " << price.region;
  }
}

// The price of a type and the list that it is from: "3.06, us-west-2, 2019-2021".
std::string price(const char* name, const char* region, const char* day = nullptr) {
  const auto at = day ? parse_time(day) : std::nullopt;
  EXPECT_EQ(day != nullptr, at.has_value()) << day;
  const OnDemandPrice& found = on_demand_price(*builtin(name), region, at);
  return fmt::format("{:g}, {}, {}", found.per_hour.dollars(), found.region, found.as_of);
}

TEST(InstanceTypes, HadThePublicPricesOfTheirTime) {
  for (const auto& [name, expected] : {std::pair{"p3.2xlarge", "3.06"},
                                       {"p2.xlarge", "0.9"},
                                       {"m4.xlarge", "0.2"},
                                       {"g4dn.xlarge", "0.526"},
                                       {"p3dn.24xlarge", "31.212"},
                                       {"p4d.24xlarge", "32.7726"},
                                       {"t2.micro", "0.0116"}})
    EXPECT_EQ(price(name, "us-west-2", "2019-11-05"),
              std::string(expected) + ", us-west-2, 2019-2021");
}

TEST(InstanceTypes, HaveThePublicPricesOfToday) {
  for (const char* region : {"us-east-1", "us-east-2", "us-west-2"})
    EXPECT_EQ(price("p4d.24xlarge", region), std::string("21.9576, ") + region + ", 2025-06");
  EXPECT_EQ(on_demand_price(*builtin("p4d.24xlarge"), "us-west-2").per_hour,
            parse_usd("21.957642"));
  EXPECT_EQ(price("p5.48xlarge", "us-east-1"), "55.04, us-east-1, 2025-06");
  EXPECT_EQ(price("p3.2xlarge", "us-west-2"), "3.06, us-west-2, 2025-11-30");
  EXPECT_EQ(price("g5.xlarge", "eu-west-1"), "1.123, eu-west-1, 2025-11-30");
}

TEST(InstanceTypes, HaveThePricesInForceAtATime) {
  EXPECT_EQ(price("p4d.24xlarge", "us-west-2", "2024-01-01"), "32.7726, us-west-2, 2019-2021");
  EXPECT_EQ(price("p4d.24xlarge", "us-west-2", "2025-05-31"), "32.7726, us-west-2, 2025-05");
  EXPECT_EQ(price("p4d.24xlarge", "us-west-2", "2025-06-01"), "21.9576, us-west-2, 2025-06");
  EXPECT_EQ(price("p4d.24xlarge", "us-west-2", "2026-11-26"), "21.9576, us-west-2, 2025-06");
  // The oldest known list, if all lists are later.
  EXPECT_EQ(price("p5.48xlarge", "us-west-2", "2019-11-05"), "98.32, us-west-2, 2025-05");
  EXPECT_EQ(price("p3.2xlarge", "eu-west-1", "2019-11-05"), "3.305, eu-west-1, 2025-11-30");
  // A trace without dates counts from 1970.
  EXPECT_EQ(price("p4d.24xlarge", "us-west-2", "1970-01-01"), "21.9576, us-west-2, 2025-06");
}

TEST(InstanceTypes, HavePricesOfTheRegionElseOfUsWest2ElseOfTheFirst) {
  EXPECT_EQ(price("p3.2xlarge", "eu-west-1"), "3.305, eu-west-1, 2025-11-30");
  EXPECT_EQ(price("m3.xlarge", "eu-west-1"), "0.266, us-west-2, 2019-2021");
  EXPECT_EQ(price("g7e.2xlarge", "us-west-2"), "3.36312, us-east-1, 2025-11-30");
}

TEST(InstanceTypes, AreTheFamiliesOfTrainingAndOfTutorials) {
  for (const auto& [name, region, expected] : {std::tuple{"m6i.large", "us-east-1", "0.096"},
                                               {"c6i.xlarge", "us-west-2", "0.17"},
                                               {"r6i.large", "us-east-1", "0.126"},
                                               {"m7i.large", "us-east-1", "0.1008"},
                                               {"c7i.large", "us-east-2", "0.08925"},
                                               {"r7i.large", "us-east-1", "0.1323"},
                                               {"m7i.metal-48xl", "us-east-1", "9.6768"},
                                               {"m5.metal", "us-east-1", "4.608"},
                                               {"m4.16xlarge", "us-east-1", "3.2"},
                                               {"c4.8xlarge", "us-west-1", "1.993"},
                                               {"r4.16xlarge", "us-west-2", "4.256"},
                                               {"t2.small", "eu-west-1", "0.025"},
                                               {"t3.nano", "us-east-1", "0.0052"},
                                               {"t3a.micro", "us-east-1", "0.0094"},
                                               {"t3a.2xlarge", "ap-south-1", "0.1971"},
                                               {"t4g.micro", "us-east-1", "0.0084"},
                                               {"dl1.24xlarge", "us-east-1", "13.109"},
                                               {"trn2.48xlarge", "us-east-2", "85.964"}}) {
    ASSERT_TRUE(builtin(name)) << name;
    EXPECT_EQ(price(name, region), fmt::format("{}, {}, 2025-05", expected, region)) << name;
  }
  EXPECT_EQ(builtin("t4g.nano")->architecture, "arm64");
  EXPECT_EQ(builtin("trn2.48xlarge")->gpus, 16);
  EXPECT_FALSE(builtin("p5e.48xlarge")) << "it has no public price";
}

// All types of a family.
std::vector<const InstanceType*> family(const std::string& name) {
  std::vector<const InstanceType*> all;
  for (const auto& [type_name, type] : *instance_types())
    if (type_name.starts_with(name + ".")) all.push_back(&type);
  return all;
}

TEST(InstanceTypes, OfAFamilyCostInProportionToTheirSize) {
  const auto expect_proportion = [](const std::string& name, auto size) {
    const InstanceType& one = *builtin(name + ".2xlarge");
    for (const InstanceType* type : family(name))
      for (const OnDemandPrice& price : type->on_demand)
        EXPECT_NEAR(price.per_hour.dollars() / size(*type),
                    on_demand_price(one, price.region).per_hour.dollars() / size(one), 1e-9)
            << type->name << " " << price.region;
  };
  for (const char* name :
       {"m4", "m5", "m6i", "m7i", "c5", "c6i", "c7i", "r4", "r5", "r6i", "r7i"}) {
    expect_proportion(name, [](const InstanceType& type) { return type.vcpus; });
    for (const InstanceType* type : family(name))
      EXPECT_EQ(type->memory_mib / type->vcpus,
                family(name).front()->memory_mib / family(name).front()->vcpus)
          << type->name;
  }
  for (const char* name : {"t3", "t4g"})
    expect_proportion(name, [](const InstanceType& type) { return type.memory_mib; });
}

TEST(InstanceTypes, WithoutAcceleratorsHavePricesInTheRegionsThatPeopleUse) {
  for (const char* name : {"c4", "c5", "c6i", "c7i", "m4", "m5", "m6i", "m7i", "r4", "r5", "r6i",
                           "r7i", "t2", "t3", "t3a", "t4g"}) {
    EXPECT_GE(family(name).size(), 5u) << name;
    for (const std::string region :
         {"us-east-1", "us-east-2", "us-west-1", "us-west-2", "ca-central-1", "eu-west-1",
          "eu-west-2", "eu-central-1", "eu-north-1", "ap-northeast-1", "ap-northeast-2",
          "ap-south-1", "ap-southeast-1", "ap-southeast-2"})
      for (const InstanceType* type : family(name)) {
        // Types of before 2018 and t3a are not offered in Stockholm, which opened that year.
        const bool offered = region != "eu-north-1" || name[1] > '4' ||
                             name == std::string("t4g") || name == std::string("t3");
        EXPECT_EQ(on_demand_price(*type, region).region == region, offered)
            << type->name << " " << region;
      }
  }
}

TEST(InstanceTypes, OfUnknownNamesAreNone) {
  for (const char* name : {"", "p3", "p3.", "p3.2xlargE", "p3.2xlarge ", "zz.large", "a"})
    EXPECT_EQ(builtin(name), nullptr) << name;
}

TEST(InstanceTypes, OfMisspeltNamesAreSuggested) {
  EXPECT_EQ(expected_instance_type(*instance_types(), "p5e.48xlarge"),
            "an instance type with a price: AWS publishes no on-demand price of p5e.48xlarge. Name "
            "a file with its price as instance_type_file");
  EXPECT_EQ(expected_instance_type(*instance_types(), "p3.2xlage"),
            "an instance type that spotsim knows such as p3.2xlarge (`spotsim types` lists them)");
  EXPECT_EQ(expected_instance_type(*instance_types(), "a much too long name"),
            "an instance type that spotsim knows (`spotsim types` lists them)");
}

TEST(InstanceTypes, OfAUsersFileTakeThePlaceOfThoseWithTheirNames) {
  const auto file = std::filesystem::path(testing::TempDir()) / "own-types.csv";
  std::ofstream(file) << "# mine\r\n"
                      << kColumns
                      << "\nx9.huge,8,1024,0.5,ACME Z1,arm64,2026 eu-west-1=1.5\r\n"
                         "p3.2xlarge,1,512,0,,x86_64,2026-01-02 us-west-2=2 us-east-1=3";
  const auto types = instance_types_with(file);
  std::filesystem::remove(file);
  EXPECT_EQ(types->size(), instance_types()->size() + 1);
  EXPECT_EQ(types->at("p3.2xlarge").vcpus, 1);
  EXPECT_EQ(types->at("x9.huge").gpus, 0.5);
  EXPECT_EQ(types->at("x9.huge").gpu, "ACME Z1");
  EXPECT_EQ(on_demand_price(types->at("p3.2xlarge"), "us-east-1").as_of, "2026-01-02");
  EXPECT_THROW(instance_types_with(file), InstanceTypeError);
}

TEST(InstanceTypes, OfABadFileAreRefusedWithPlaceAndReason) {
  const auto row = [](const std::string& line) { return message_for(kColumns + line); };
  EXPECT_EQ(row("x9.huge,8,1024,0,,x86_64,2026 us-west-2=1"), "");
  EXPECT_EQ(row("x9,8,1024,0,,x86_64,2026 us-west-2=1"),
            "own.csv:2: instance_type: found \"x9\", expected a name such as p3.2xlarge");
  EXPECT_EQ(row("\nx9.huge,0,1024,0,,x86_64,2026 us-west-2=1"),
            "own.csv:3: vcpus: found \"0\", expected a number from 1 to 100000");
  EXPECT_EQ(row("x9.huge,8,1024,nan,,x86_64,2026 us-west-2=1"),
            "own.csv:2: gpus: found \"nan\", expected a number from 0 to 1000");
  for (const char* gpu : {"1,", "1,V100", "0,NVIDIA V100"})
    EXPECT_EQ(row("x9.huge,8,1024," + std::string(gpu) + ",x86_64,2026 us-west-2=1"),
              "own.csv:2: gpu: found \"" + std::string(gpu + 2) +
                  "\", expected a maker and a name such as NVIDIA V100, or nothing where gpus "
                  "is 0");
  EXPECT_EQ(row("x9.huge,8,1024,0,,arm,2026 us-west-2=1"),
            "own.csv:2: architecture: found \"arm\", expected x86_64 or arm64");
  for (const char* prices : {"", "2026", "us-west-2=1", "2026 us-west-2=", "2026 us-west-2=0",
                             "2026 west=1", "2026 us-west-2", "2026-13 us-west-2=1",
                             "2021-2019 us-west-2=1", "2026-02-30 us-west-2=1", "20 us-west-2=1"})
    EXPECT_EQ(row(std::string("x9.huge,8,1024,0,,x86_64,") + prices),
              "own.csv:2: on_demand_usd_per_hour: found \"" + std::string(prices) +
                  "\", expected a date and the prices of its list, such as 2025-11-30 "
                  "us-east-1=0.526 us-west-2=0.526");
  EXPECT_EQ(
      row("x9.huge,8,1024,0,,x86_64,2026 us-west-2=1 us-west-2=2"),
      "own.csv:2: on_demand_usd_per_hour: found \"us-west-2\", expected each region once for a "
      "date");
  EXPECT_EQ(row("x9.huge,8,1024,0,,x86_64,2026 us-west-2=1 2026-02 us-west-2=2"), "");
  EXPECT_EQ(row("x9.huge,8\n"), "own.csv:2: line: found \"x9.huge,8\", expected 7 fields: " +
                                    std::string(kColumns, strlen(kColumns) - 1));
  EXPECT_TRUE(message_for("a,b\n").starts_with("own.csv:1: header: found \"a,b\", expected inst"));
  EXPECT_TRUE(message_for("# x\n").starts_with("own.csv: found no header, expected instance_type"));
}

}  // namespace
}  // namespace sim::market
