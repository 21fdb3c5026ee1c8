#include "sim/market/ml_prices.h"

#include <gtest/gtest.h>

namespace sim::market {
namespace {

using At = std::optional<Time>;

MlPrice price(const char* type, At at = {}) { return ml_price(instance_types()->at(type), at); }

// Dollars an hour on demand, rounded to a ten-thousandth.
std::string dollars(const char* type, const char* region, At at = {}) {
  const auto& ec2 = on_demand_price(instance_types()->at(type), region, at);
  return format_usd(Usd{scaled(ec2.per_hour, price(type, at).factor).nano / 100'000 * 100'000});
}

TEST(MlPrices, AreTheListedOnesOfEachType) {
  for (const auto& [type, listed] : {std::pair{"p3.2xlarge", "3.8250"},
                                     {"p3.8xlarge", "14.6880"},
                                     {"p3.16xlarge", "28.1520"},
                                     {"p4d.24xlarge", "25.2512"},
                                     {"p5.48xlarge", "63.2960"},
                                     {"g5.xlarge", "1.4080"},
                                     {"g5.2xlarge", "1.5150"},
                                     {"g4dn.xlarge", "0.7364"},
                                     {"m5.xlarge", "0.2300"},
                                     {"c5.xlarge", "0.2040"}}) {
    EXPECT_EQ(dollars(type, "us-east-1"), listed) << type;
    EXPECT_EQ(price(type).source, "SageMaker's list of 2026") << type;
  }
}

TEST(MlPrices, AreThoseOfTheirTime) {
  const auto on = [](const char* type, const char* day) {
    return dollars(type, "us-west-2", parse_time(std::string(day) + "T00:00:00Z"));
  };
  for (const auto& [type, first] : {std::pair{"p3.2xlarge", "4.2840"},
                                    {"p3.8xlarge", "17.1360"},
                                    {"p3.16xlarge", "34.2720"},
                                    {"p2.xlarge", "1.2600"},
                                    {"m5.xlarge", "0.2688"},
                                    {"c5.xlarge", "0.2380"},
                                    {"g4dn.2xlarge", "1.0528"}})
    EXPECT_EQ(on(type, "2019-11-05"), first) << type;
  EXPECT_EQ(on("p3.2xlarge", "2020-09-30"), "4.2840");
  EXPECT_EQ(on("p3.2xlarge", "2020-10-01"), "3.8250");
  EXPECT_EQ(on("m5.xlarge", "2020-10-01"), "0.2688");
  EXPECT_EQ(on("m5.xlarge", "2021-05-01"), "0.2300");
  EXPECT_EQ(on("g5.xlarge", "2019-11-05"), "1.4080") << "came later";
}

TEST(MlPrices, OfOtherRegionsFollowEc2s) {
  EXPECT_EQ(dollars("p3.2xlarge", "eu-west-1"), "4.1312");  // 3.305 × 1.25
}

TEST(MlPrices, AreBetweenOneAndOneAndAHalfTimesEc2s) {
  for (const auto& [name, type] : *instance_types()) {
    const double factor = price(name.c_str()).factor;
    EXPECT_GT(factor, 1.1) << name;
    EXPECT_LT(factor, 1.45) << name;
  }
}

TEST(MlPrices, OfTypesThatAreNotListedAreAssumed) {
  for (const auto& [type, factor] :
       {std::pair{"m4.xlarge", 1.2}, {"p4de.24xlarge", 1.15}, {"trn1.2xlarge", 1.25}}) {
    EXPECT_EQ(price(type).factor, factor) << type;
    EXPECT_EQ(price(type).source, "assumed") << type;
  }
}

}  // namespace
}  // namespace sim::market
