#include "sim/run/run_start.h"

#include <gtest/gtest.h>

#include "sim/events/event.h"

namespace sim::run {
namespace {

Json opening(const scenario::Scenario& scenario, const GuestDescription& guest = {}) {
  EventLog log;
  Json fields;
  log.listeners().on_all(
      [&](const events::AnyEvent& event, std::string_view) { fields = event.fields(); });
  write_run_start(log, scenario, 1, guest);
  return fields;
}

// The first line of a run in this region, with this baseline type.
Json opening_of(const std::string& region, const std::string& type,
                const char* day = "2019-11-05") {
  scenario::Scenario s;
  s.start = *parse_time(day);
  s.cloud.region = region;
  s.prices.pools[{"p3.2xlarge", region + "a"}] = {};
  s.baseline = scenario::Baseline{.instance_type = type};
  return opening(s);
}

std::string on_demand_assumption(const Json& opening) {
  for (const auto& text : opening["assumptions"])
    if (text.get<std::string>().starts_with("on-demand prices")) return text;
  return "";
}

TEST(RunStart, StatesTheBaselinesPriceInTheRegionAndItsDate) {
  const Json oregon = opening_of("us-west-2", "p3.2xlarge");
  EXPECT_EQ(oregon["baseline_price"], "3.0600");
  EXPECT_EQ(on_demand_assumption(oregon),
            "on-demand prices are AWS's public list, Linux, us-west-2, as of 2019-2021");
  const Json tokyo = opening_of("ap-northeast-1", "p5.48xlarge", "2026-11-26");
  EXPECT_EQ(tokyo["baseline_price"], "68.8000");
  EXPECT_EQ(on_demand_assumption(tokyo),
            "on-demand prices are AWS's public list, Linux, ap-northeast-1, as of 2025-11-30; of "
            "p5.48xlarge: ap-northeast-1, as of 2025-06");
}

TEST(RunStart, TakesThePricesInForceAtTheRunsStart) {
  EXPECT_EQ(opening_of("us-west-2", "p4d.24xlarge")["baseline_price"], "32.7726");
  EXPECT_EQ(opening_of("us-west-2", "p4d.24xlarge", "2026-01-01")["baseline_price"], "21.957642");
}

TEST(RunStart, ReportsWhereNoPriceIsKnown) {
  EXPECT_EQ(
      on_demand_assumption(opening_of("eu-west-3", "p3.2xlarge")),
      "on-demand prices are AWS's public list, Linux, us-west-2, as of 2019-2021 (no price is "
      "known in eu-west-3)");
}

TEST(RunStart, PricesABaselineOfSageMakersInstancesByItsFactor) {
  EXPECT_EQ(opening_of("us-west-2", "ml.p3.2xlarge")["baseline_price"], "4.2840");
  EXPECT_EQ(opening_of("us-west-2", "ml.p3.2xlarge")["baseline_instance_type"], "p3.2xlarge");
}

TEST(RunStart, ReportsWhichPricesOfSageMakerAreListed) {
  scenario::Scenario s;
  s.start = *parse_time("2019-11-05");
  s.prices.pools[{"p3.2xlarge", "us-west-2a"}] = s.prices.pools[{"m4.xlarge", "us-west-2a"}] = {};
  s.guest.images["123456789012.dkr.ecr.us-west-2.amazonaws.com/train"] = {};
  const auto costs = [&] { return opening(s)["assumptions"].back().get<std::string>(); };
  EXPECT_TRUE(
      costs().starts_with("an ml. instance costs more than EC2 asks for its type: m4.xlarge 1.4 "
                          "times (SageMaker's first list), "
                          "p3.2xlarge 1.4 times (SageMaker's first list), at the spot price too"))
      << costs();
  s.sagemaker.price_factor = 1.4;
  EXPECT_TRUE(costs().starts_with("an ml. instance costs 1.4 times EC2's price, as the scenario"))
      << costs();
}

TEST(RunStart, StatesATimeOfWriteBackAboveAMinute) {
  scenario::Scenario s;
  const auto seconds = [&](const char* level) {
    return opening(s, {.kind = "process", .level = level}).value("written_back_seconds", 0.0);
  };
  EXPECT_EQ(seconds("root"), 0);
  s.guest.write_back_age = std::chrono::minutes{10};
  EXPECT_EQ(seconds("root"), 610);
  EXPECT_EQ(seconds("plain"), 0) << "there it is the machine's own kernel that writes";
}

}  // namespace
}  // namespace sim::run
