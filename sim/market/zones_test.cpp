#include "sim/market/zones.h"

#include <gtest/gtest.h>

namespace sim::market {
namespace {

TEST(Zones, HaveAwssIds) {
  const std::pair<const char*, const char*> zones[] = {
      {"us-west-2b", "usw2-az2"},           {"us-east-1f", "use1-az6"},
      {"us-west-1c", "usw1-az3"},           {"ap-northeast-1d", "apne1-az4"},
      {"ap-southeast-2a", "apse2-az1"},     {"eu-central-1c", "euc1-az3"},
      {"ca-central-1d", "cac1-az4"},        {"us-gov-west-1a", "usgw1-az1"},
      {"sa-east-1b", "sae1-az2"},           {"cn-northwest-1a", "cnnw1-az1"},
      {"us-west-2-lax-1a", "usw2-lax1-az1"}};
  for (const auto& [zone, id] : zones) {
    EXPECT_EQ(zone_id(zone), id);
    EXPECT_EQ(zone_of_id(id), zone);
  }
}

TEST(Zones, AreNotMadeOfOtherTexts) {
  for (const char* text : {"", "az1", "-az1", "usw2", "usw2-az", "usw2-az0", "usw2-az12",
                           "us-west-2b", "xyz9-az1", "usw2-1-az1", "usw-az1"})
    EXPECT_EQ(zone_of_id(text), std::nullopt) << text;
  EXPECT_EQ(zone_id("us-west-2"), "us-west-2");
}

TEST(Zones, OfARegionHaveItsLetters) {
  EXPECT_EQ(zone_letters("us-east-1"), "abcdef");
  EXPECT_EQ(zone_letters("ap-northeast-1"), "acd");
  EXPECT_EQ(zone_letters("eu-west-1"), "abc");
}

}  // namespace
}  // namespace sim::market
