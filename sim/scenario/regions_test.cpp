// `regions` of a scenario.
#include "sim/scenario/scenario_file_for_test.h"

namespace sim::scenario {
namespace {

class Regions : public ScenarioFile {
 protected:
  void SetUp() override {
    ScenarioFile::SetUp();
    write("east.csv",
          "az,instance_type,timestamp,price_usd_h\n"
          "us-east-1b,p3.2xlarge,2019-11-05T00:00:00Z,0.97\n"
          "us-east-1b,p3.2xlarge,2019-11-06T00:00:00Z,0.97\n");
  }
};

TEST_F(Regions, AFurtherRegionHasItsOwnMarketAndOtherwiseTheFirstOnesSettings) {
  const Scenario s =
      read(good("durations: {boot: 7s}\n"
                "prices: {snapshot_gb_month: 0.06}\n"
                "regions:\n"
                "  - region: us-east-1\n"
                "    prices: {volume_gp2_gb_month: 0.2}\n"
                "    market:\n"
                "      prices: [east.csv]\n"
                "      capacity: [{pool: p3.2xlarge/us-east-1b, at: 1h, slots: 2}]\n"
                "      quotas: {spot_vcpus: 16}\n"));
  ASSERT_EQ(s.further_regions.size(), 1u);
  const Region& east = s.further_regions.front();
  EXPECT_EQ(east.cloud.region, "us-east-1");
  EXPECT_EQ(east.cloud.availability_zones, std::vector<std::string>{"us-east-1b"});
  EXPECT_EQ(east.cloud.durations.boot.low, std::chrono::seconds{7});
  EXPECT_EQ(east.cloud.prices.snapshot_gb_month.nano, 60'000'000);
  EXPECT_EQ(east.cloud.prices.volume_gp2_gb_month.nano, 200'000'000);
  EXPECT_TRUE(east.prices.pools.contains({"p3.2xlarge", "us-east-1b"}));
  EXPECT_EQ(east.capacity.at(0).slots, 2);
  EXPECT_EQ(east.quotas.spot_vcpus, 16);
  EXPECT_EQ(s.cloud.prices.volume_gp2_gb_month.nano, 100'000'000);
  EXPECT_FALSE(s.prices.pools.contains({"p3.2xlarge", "us-east-1b"}));
  EXPECT_TRUE(s.capacity.empty());
  EXPECT_TRUE(s.inputs.contains("east.csv"));
}

TEST_F(Regions, AFurtherRegionHasItsOwnInterruptionsAndFaults) {
  const Scenario s =
      read(good("regions:\n"
                "  - region: us-east-1\n"
                "    market: {prices: [east.csv]}\n"
                "    interruptions: [{at: 1h, pool: p3.2xlarge/us-east-1b}]\n"
                "    faults: [{at: 2h, kind: api-throttled}, {at: 3h, kind: api-throttled}]\n"));
  const Region& east = s.further_regions.at(0);
  EXPECT_EQ(east.interruptions.size(), 1u);
  EXPECT_EQ(east.faults.size(), 2u);
  EXPECT_TRUE(s.interruptions.empty());
  EXPECT_TRUE(s.faults.empty());
}

TEST_F(Regions, ErrorsNameTheRegionsKey) {
  const auto errors_of = [&](const std::string& region) {
    return errors(good("regions: [{" + region + "}]\n"));
  };
  EXPECT_PRED2(contains, errors_of("market: {prices: [east.csv]}"),
               "regions[0].region: found nothing");
  EXPECT_PRED2(contains, errors_of("region: us-west-2, market: {prices: [east.csv]}"),
               "expected each region once");
  EXPECT_PRED2(contains, errors_of("region: mars, market: {prices: [east.csv]}"),
               "expected a region such as us-east-1");
  EXPECT_PRED2(contains, errors_of("region: eu-west-1, market: {prices: [east.csv]}"),
               "expected prices in the region eu-west-1");
  const std::string east = "region: us-east-1, market: {prices: [east.csv]}, ";
  EXPECT_PRED2(contains, errors_of(east + "interruptions: [{at: 1h, pool: p3.2xlarge/us-west-2b}]"),
               "regions[0].interruptions[0].pool");
  EXPECT_PRED2(contains, errors_of(east + "faults: [{at: 1h, kind: storm}]"),
               "regions[0].faults[0].kind");
}

}  // namespace
}  // namespace sim::scenario
