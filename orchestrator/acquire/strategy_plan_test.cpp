#include "orchestrator/acquire/strategy_plan.h"

#include <gtest/gtest.h>

#include "orchestrator/failure.h"
#include "orchestrator/fake_ec2_for_test.h"

namespace spotrun {
namespace {

using namespace std::chrono_literals;

Job priced_job() {
  Job job = testing::test_job();
  job.step_time = {{"p3.2xlarge", "4.5s"}, {"p2.xlarge", "18s"}};
  job.on_demand_price = {{"p3.2xlarge", 3.06}, {"p2.xlarge", 0.9}};
  return job;
}

nlohmann::json fleet_of(const std::string& specifications) {
  return {{"TargetCapacity", 1}, {"LaunchSpecifications", nlohmann::json::parse(specifications)}};
}
const char* const kTwoZones = R"([{"ImageId": "ami-1", "InstanceType": "p3.2xlarge",
  "Placement": {"AvailabilityZone": "us-west-2a, us-west-2b"}}])";

StrategyOptions options() { return {.strategy = "greedy", .work = "48h", .deadline = "60h"}; }

std::string strategy_complaint(const StrategyOptions& options, const nlohmann::json& fleet,
                               const Job& job = priced_job()) {
  try {
    read_plan(options, fleet, "fleet.json", job);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code, ExitCode::kBadInput);
    return failure.what();
  }
  return "no strategy_complaint";
}

TEST(StrategyPlan, EachZoneOfALaunchSpecificationIsAPool) {
  const StrategyPlan plan = read_plan(options(), fleet_of(kTwoZones), "fleet.json", priced_job());
  ASSERT_EQ(plan.pools.size(), 2u);
  EXPECT_EQ(plan.pools[1].instance.availability_zone, "us-west-2b");
  EXPECT_EQ(plan.pools[1].on_demand, 3.06);
  EXPECT_EQ(plan.job.deadline, 60h - 210s) << "decisions may be late";
  EXPECT_EQ(plan.job.tick, 10min);
}

TEST(StrategyPlan, WorkIsThatOfTheSlowestType) {
  const StrategyPlan plan =
      read_plan(options(), fleet_of(R"([{"ImageId": "ami-1", "InstanceType": "p3.2xlarge",
                  "Placement": {"AvailabilityZone": "us-west-2b"}},
                 {"ImageId": "ami-1", "InstanceType": "p2.xlarge",
                  "Placement": {"AvailabilityZone": "us-west-2b"}}])"),
                "fleet.json", priced_job());
  EXPECT_EQ(plan.pools[0].speed, 4);
  EXPECT_EQ(plan.pools[1].speed, 1);
}

TEST(StrategyPlan, ReportsErrorsWithTheirPlaces) {
  const auto with = [](std::string StrategyOptions::*option, const char* value) {
    StrategyOptions changed = options();
    changed.*option = value;
    return strategy_complaint(changed, fleet_of(kTwoZones));
  };
  EXPECT_TRUE(with(&StrategyOptions::strategy, "greed").starts_with("--strategy: "));
  EXPECT_NE(with(&StrategyOptions::strategy, "uniform-progress-oracle").find("is an oracle"),
            std::string::npos);
  EXPECT_EQ(with(&StrategyOptions::work, "48"),
            "--work: found \"48\", expected a duration such as 48h");
  EXPECT_EQ(with(&StrategyOptions::deadline, "48h23m"),
            "--deadline: found \"48h23m\", expected at least the work, a changeover, a tick and a "
            "late decision: 48h and 10m and 10m and 210s");
  EXPECT_TRUE(with(&StrategyOptions::tick, "5s").starts_with("--tick: "));
  EXPECT_TRUE(with(&StrategyOptions::changeover, "").starts_with("--changeover: "));
  EXPECT_TRUE(with(&StrategyOptions::move, "0s").starts_with("--move: "));

  nlohmann::json gang = fleet_of(kTwoZones);
  gang["TargetCapacity"] = 4;
  EXPECT_EQ(strategy_complaint(options(), gang),
            "fleet.json: /TargetCapacity: found 4, expected 1: a strategy rents one instance at a "
            "time");
  EXPECT_EQ(strategy_complaint(options(),
                               fleet_of(R"([{"ImageId": "a", "InstanceType": "p3.2xlarge"}])")),
            "fleet.json: /LaunchSpecifications/0/Placement/AvailabilityZone: found none, expected "
            "the zones from which the strategy chooses");
  EXPECT_EQ(strategy_complaint(options(), fleet_of(kTwoZones), testing::test_job()),
            "--strategy: found p3.2xlarge, but no /profiles/p3.2xlarge/on_demand_price in the job "
            "file");
  nlohmann::json twice = fleet_of(kTwoZones);
  twice["LaunchSpecifications"].push_back(twice["LaunchSpecifications"][0]);
  EXPECT_EQ(strategy_complaint(options(), twice),
            "fleet.json: /LaunchSpecifications/1: found p3.2xlarge in us-west-2a again, expected "
            "it once");
}

}  // namespace
}  // namespace spotrun
