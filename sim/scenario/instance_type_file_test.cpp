#include <gtest/gtest.h>

#include <fstream>

#include "sim/scenario/scenario.h"

namespace sim::scenario {
namespace {

class OwnInstanceTypes : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "trace.csv") << "az,instance_type,timestamp,price_usd_h\n"
                                            "eu-west-1a,x9.huge,2026-01-01T00:00:00Z,0.5\n"
                                            "eu-west-1a,x9.huge,2026-01-03T00:00:00Z,0.5\n";
    types("x9.huge,8,1024,1,ACME Z1,arm64,2026 eu-west-1=1.5\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void types(const std::string& rows) const {
    std::ofstream(folder_ / "types.csv")
        << "instance_type,vcpus,memory_mib,gpus,gpu,architecture,on_demand_usd_per_hour\n"
        << rows;
  }
  Scenario read(const std::string& more) const {
    return parse_scenario(
        "name: t\nstart: 2026-01-01T10:00:00Z\nlimit: 12h\nregion: eu-west-1\n"
        "market: {prices: [trace.csv], capacity: [{pool: x9.huge/eu-west-1a, slots: 2}]}\n"
        "operator: {script: 'true'}\nbaseline: {instance_type: x9.huge}\n" +
            more,
        folder_ / "s.yaml");
  }
  std::string errors(const std::string& more) const {
    try {
      read(more);
    } catch (const ScenarioError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / "spotsim-own-scenario";
};

TEST_F(OwnInstanceTypes, AreThoseOfTheFileBesideTheScenario) {
  const Scenario s = read("instance_type_file: types.csv\n");
  EXPECT_EQ(s.instance_types->at("x9.huge").gpu, "ACME Z1");
  EXPECT_EQ(s.baseline->instance_type, "x9.huge");
  EXPECT_EQ(s.capacity.front().pool.instance_type, "x9.huge");
  EXPECT_TRUE(s.inputs.contains("types.csv"));
}

TEST_F(OwnInstanceTypes, AreUnknownWithoutTheFile) {
  const std::string text = errors("");
  for (const char* key : {"market.capacity[0].pool", "baseline.instance_type"})
    EXPECT_NE(text.find(key), std::string::npos) << text;
}

TEST_F(OwnInstanceTypes, AreReadWithPlaceAndReason) {
  types("x9.huge,8,1024,0,,arm64,2026 eu-west-1=free\n");
  const std::string text = errors("instance_type_file: types.csv\n");
  EXPECT_NE(text.find("s.yaml:8:21: instance_type_file: "), std::string::npos) << text;
  EXPECT_NE(text.find("types.csv:2: on_demand_usd_per_hour: found \"2026 eu-west-1=free\""),
            std::string::npos)
      << text;
  EXPECT_NE(errors("instance_type_file: none.csv\n").find("none.csv: found no readable file"),
            std::string::npos);
}

}  // namespace
}  // namespace sim::scenario
