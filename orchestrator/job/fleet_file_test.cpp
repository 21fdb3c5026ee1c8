#include "orchestrator/job/fleet_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "orchestrator/failure.h"
#include "orchestrator/fake_ec2_for_test.h"
#include "orchestrator/job/user_data.h"

namespace spotrun {
namespace {

constexpr char kFleet[] = R"({"AllocationStrategy": "diversified", "SpotPrice": "9",
  "LaunchSpecifications": [
    {"ImageId": "ami-1", "InstanceType": "p2.xlarge", "SpotPrice": "1", "KeyName": "k",
     "Placement": {"AvailabilityZone": "us-west-2a, us-west-2b"},
     "IamInstanceProfile": {"Name": "training"}, "SecurityGroups": [{"GroupId": "sg-1"}]},
    {"ImageId": "ami-2", "InstanceType": "p3.2xlarge", "WeightedCapacity": 4,
     "Placement": {"AvailabilityZone": "us-west-2c"}}]})";

Job job_with_prices() {
  return parse_job(R"({"name": "test", "region": "us-west-2",
    "volume": {"tag": "Name=data", "size_gib": 100, "availability_zone": "us-west-2b"},
    "train": {"command": "true"},
    "profiles": {"p2.xlarge": {"step_time": "9s", "on_demand_price": "0.90"},
                 "p3.2xlarge": {"step_time": "4.5s", "on_demand_price": "3.06"}}})",
                   "job.json");
}

nlohmann::json read(const FleetOptions& options, const Job& job = job_with_prices()) {
  return read_fleet(kFleet, "fleet.json", job, options);
}

std::string complaint(const std::function<void()>& call) {
  try {
    call();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code, ExitCode::kBadInput);
    return failure.what();
  }
  return "no failure";
}

TEST(FleetFile, WithoutOptionsIsAsItStands) { EXPECT_EQ(read({}), nlohmann::json::parse(kFleet)); }

TEST(FleetFile, TheStrategyOfTheCommandLineGoesBefore) {
  EXPECT_EQ(read({.allocation_strategy = "priceCapacityOptimized"})["AllocationStrategy"],
            "priceCapacityOptimized");
  EXPECT_NE(complaint([] {
              read({.allocation_strategy = "cheapest"});
            }).find("found \"cheapest\", expected lowestPrice, diversified"),
            std::string::npos);
  EXPECT_EQ(read({.allocation_strategy = "capacityOptimizedPrioritized"})["AllocationStrategy"],
            "capacityOptimizedPrioritized");
}

TEST(FleetFile, AMaximumPriceIsThatOfAllLaunchSpecifications) {
  const auto fleet = read({.max_price = "0.5"});
  EXPECT_EQ(fleet["SpotPrice"], "0.500000");
  for (const auto& specification : fleet["LaunchSpecifications"])
    EXPECT_FALSE(specification.contains("SpotPrice"));
}

TEST(FleetFile, AShareIsOfEachTypesOnDemandPriceForAUnitOfCapacity) {
  const auto fleet = read({.max_price = "40%"});
  EXPECT_FALSE(fleet.contains("SpotPrice"));
  EXPECT_EQ(fleet["LaunchSpecifications"][0]["SpotPrice"], "0.360000");
  EXPECT_EQ(fleet["LaunchSpecifications"][1]["SpotPrice"], "0.306000");
}

TEST(FleetFile, AShareNeedsAPriceInTheJobFile) {
  EXPECT_EQ(complaint([] { read({.max_price = "40%"}, testing::test_job()); }),
            "--max-price: found a share, but no /profiles/p2.xlarge/on_demand_price in the job "
            "file");
  for (const char* price : {"0", "-1", "nan", "1e3", "0.5x", "%", "0%", "1 %", "2000000"}) {
    EXPECT_NE(complaint([&] { read({.max_price = price}); }).find("--max-price: found"),
              std::string::npos)
        << price;
  }
}

TEST(FleetFile, OnDemandIsTheFirstSpecificationThatMayBeInTheZone) {
  const Job job = job_with_prices();
  const auto fleet = read({});
  EXPECT_NO_THROW(check_on_demand(fleet, "fleet.json"));
  const aws::NewInstance near = on_demand_instance(fleet, job, "us-west-2b");
  EXPECT_EQ(near.instance_type, "p2.xlarge");
  EXPECT_EQ(near.availability_zone, "us-west-2b");
  EXPECT_EQ(near.iam_instance_profile, "training");
  EXPECT_EQ(near.key_name, "k");
  EXPECT_EQ(near.security_group_ids, std::vector<std::string>{"sg-1"});
  EXPECT_EQ(near.user_data, user_data(job, "instance"));
  EXPECT_EQ(on_demand_instance(fleet, job, "us-west-2c").instance_type, "p3.2xlarge");
  EXPECT_EQ(on_demand_instance(fleet, job, "us-west-2d").availability_zone, "us-west-2a");
}

TEST(FleetFile, OnDemandInASubnetIsWhereTheSubnetIs) {
  const auto fleet = nlohmann::json::parse(
      R"({"LaunchSpecifications": [
            {"ImageId": "i", "InstanceType": "t", "SubnetId": "subnet-1"}]})");
  const auto instance = on_demand_instance(fleet, job_with_prices(), "us-west-2b");
  EXPECT_EQ(instance.subnet_id, "subnet-1");
  EXPECT_EQ(instance.availability_zone, "");
}

TEST(FleetFile, WhatAnOnDemandInstanceWouldLackIsRefused) {
  for (const char* member : {"UserData", "BlockDeviceMappings", "NetworkInterfaces"}) {
    auto fleet = read({});
    fleet["LaunchSpecifications"][1][member] = "x";
    EXPECT_NE(complaint([&] {
                check_on_demand(fleet, "fleet.json");
              }).find(std::string("fleet.json: /LaunchSpecifications/1/") + member),
              std::string::npos);
  }
  auto fleet = read({});
  fleet["LaunchSpecifications"][0].erase("ImageId");
  EXPECT_NE(complaint([&] { check_on_demand(fleet, "fleet.json"); }).find("0/ImageId: found none"),
            std::string::npos);
}

TEST(FleetFile, GroupsByNameAndSeveralSubnetsAreNotForAnInstance) {
  const auto with = [](const char* member, const char* value) {
    auto fleet = read({});
    fleet["LaunchSpecifications"][0][member] = nlohmann::json::parse(value);
    return complaint([&] { check_on_demand(fleet, "fleet.json"); });
  };
  const std::string at = "fleet.json: /LaunchSpecifications/0/";
  EXPECT_EQ(with("SecurityGroups", R"([{"GroupId": "sg-1"}, {"GroupName": "default"}])"),
            at + "SecurityGroups/1: found {\"GroupName\":\"default\"}, expected a GroupId: an "
                 "instance is not given a group by its name");
  EXPECT_EQ(with("SecurityGroups", R"("sg-1")"),
            at + "SecurityGroups: found \"sg-1\", expected a list of groups");
  EXPECT_EQ(with("SubnetId", R"("subnet-1, subnet-2")"),
            at + "SubnetId: found \"subnet-1, subnet-2\", expected one subnet's ID");
  EXPECT_EQ(with("SubnetId", R"("subnet-1")"),
            at + "SubnetId: found \"subnet-1\", expected none with several zones: a subnet is in "
                 "one zone");
  auto fleet = read({});
  fleet["LaunchSpecifications"][1]["SubnetId"] = "subnet-1";
  EXPECT_NO_THROW(check_on_demand(fleet, "fleet.json")) << "in its one zone";
}

TEST(FleetFile, AZoneHasAName) {
  for (const char* zones : {",us-west-2c", "us-west-2a,", "us-west-2a, , us-west-2b", ","}) {
    auto fleet = read({});
    fleet["LaunchSpecifications"][1]["Placement"]["AvailabilityZone"] = zones;
    EXPECT_EQ(
        complaint([&] { read_fleet(fleet.dump(), "fleet.json", job_with_prices(), {}); }),
        fmt::format("fleet.json: /LaunchSpecifications/1/Placement/AvailabilityZone: found \"{}\", "
                    "expected zones such as \"us-west-2a, us-west-2b\"",
                    zones));
  }
}

}  // namespace
}  // namespace spotrun
