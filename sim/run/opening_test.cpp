#include "sim/run/opening.h"

#include <gtest/gtest.h>

#include "sim/kernel/event.h"

namespace sim::run {
namespace {

// What a run in the region says first, its baseline on this type.
Json opening_of(const std::string& region, const std::string& type) {
  Scenario s;
  s.cloud.region = region;
  s.prices.pools[{"p3.2xlarge", region + "a"}] = {};
  s.baseline = Baseline{type, std::nullopt};
  return opening(s, 1, {});
}

std::string on_demand_assumption(const Json& opening) {
  for (const auto& text : opening["assumptions"])
    if (text.get<std::string>().starts_with("on-demand prices")) return text;
  return "";
}

TEST(Opening, SaysTheBaselinesPriceInTheRegionAndOfWhatDateItIs) {
  const Json oregon = opening_of("us-west-2", "p3.2xlarge");
  EXPECT_EQ(oregon["baseline_price"], "3.0600");
  EXPECT_EQ(on_demand_assumption(oregon),
            "on-demand prices are AWS's public list, Linux, us-west-2, as of 2019-2021");
  const Json tokyo = opening_of("ap-northeast-1", "p5.48xlarge");
  EXPECT_EQ(tokyo["baseline_price"], "68.8000");
  EXPECT_EQ(on_demand_assumption(tokyo),
            "on-demand prices are AWS's public list, Linux, us-west-2, as of 2019-2021; of "
            "p3.2xlarge: ap-northeast-1, as of 2025-11-30; of p5.48xlarge: ap-northeast-1, as of "
            "2025-11-30");
}

}  // namespace
}  // namespace sim::run
