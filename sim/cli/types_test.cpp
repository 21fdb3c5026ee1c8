#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/cli/command_for_test.h"
#include "sim/cli/commands.h"

namespace sim::cli {
namespace {

class TypesOnTheCommandLine : public OnTheCommandLine {
 protected:
  TypesOnTheCommandLine() : OnTheCommandLine({add_types_command, add_trace_command}) {}

  std::string names(const std::string& arguments) {
    EXPECT_EQ(spotsim("types --json " + arguments), 0) << err_;
    std::string all;
    for (const auto& type : nlohmann::json::parse(out_))
      all += type["instance_type"].get<std::string>() + " ";
    return all;
  }
};

TEST_F(TypesOnTheCommandLine, AreListedByNameGlobOrGpu) {
  EXPECT_EQ(names("p3"), "p3.16xlarge p3.2xlarge p3.8xlarge p3dn.24xlarge ");
  EXPECT_EQ(names("g*.metal"), "g4dn.metal g5g.metal ");
  EXPECT_EQ(names("v100"), "p3.16xlarge p3.2xlarge p3.8xlarge p3dn.24xlarge ");
}

TEST_F(TypesOnTheCommandLine, HaveTheRegionsPriceWithItsDate) {
  const auto price = [&](const std::string& arguments) {
    EXPECT_EQ(spotsim("types " + arguments), 0) << err_;
    return out_.substr(out_.rfind("x86_64") + 6);
  };
  EXPECT_EQ(price("p5.48xlarge --region us-east-1"), "            55.0400  us-east-1, 2025-06\n");
  EXPECT_EQ(price("p5.48xlarge --region us-east-1 --date 2025-05-05"),
            "            98.3200  us-east-1, 2025-05\n");
  EXPECT_EQ(price("m3.xlarge --region us-east-1"),
            "             0.2660  us-west-2, 2019-2021 (no price is known in us-east-1)\n");
  EXPECT_EQ(spotsim("types --date today"), 2);
  EXPECT_EQ(err_, "spotsim: --date: found \"today\", expected a date such as 2019-11-05\n");
}

TEST_F(TypesOnTheCommandLine, UnknownOnesGetSuggestions) {
  EXPECT_EQ(spotsim("types p5.48xlrge"), 2);
  EXPECT_EQ(
      err_,
      "spotsim: PATTERN: found no type or GPU whose name contains \"p5.48xlrge\", expected an "
      "instance type that spotsim knows such as p5.48xlarge (`spotsim types` lists them)\n");
  EXPECT_EQ(spotsim("types --region us-wst-2"), 2);
  EXPECT_EQ(err_, "spotsim: --region: found \"us-wst-2\", expected us-west-2\n");
}

TEST_F(TypesOnTheCommandLine, OfTheUsersOwnFileAreListedToo) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "spotsim-own-types";
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "own.csv").string(), out = (folder / "out.json").string();
  std::ofstream(file) << "instance_type,vcpus,memory_mib,gpus,gpu,architecture,"
                         "on_demand_usd_per_hour\n"
                         "x9.huge,8,1024,1,ACME Z1,arm64,2026 us-west-2=1.5\n";
  EXPECT_EQ(names("x9 --instance-type-file " + file), "x9.huge ");
  const std::string draw =
      "trace synth --pool x9.huge/us-west-2a=0.5 --from 2020-01-01 --to "
      "2020-01-02 --seed 1 --out " +
      out;
  EXPECT_EQ(spotsim(draw), 2);
  EXPECT_EQ(err_,
            "spotsim: --pool x9.huge/us-west-2a=0.5: found \"x9.huge\", expected an instance type "
            "that spotsim knows (`spotsim types` lists them)\n");
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_EQ(spotsim(draw + " --instance-type-file " + file), 0) << err_;
  EXPECT_TRUE(std::filesystem::exists(out));
  EXPECT_EQ(spotsim(draw + " --instance-type-file " + out), 2);
  EXPECT_TRUE(err_.starts_with("spotsim: " + out + ":1: header: found ")) << err_;
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sim::cli
