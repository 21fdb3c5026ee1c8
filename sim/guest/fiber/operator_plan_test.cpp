#include "sim/guest/fiber/operator_plan.h"

#include <gtest/gtest.h>

#include <fstream>

#include "sim/guest/fiber/plain_script.h"

namespace sim::guest {
namespace {

TEST(OperatorPlan, SpotrunsCommandsAreReadAsItsOwnProgramReadsThem) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "spotsim-operator-plan";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "job.json") << "{}";
  const OperatorPlan plan = plan_operator(
      "spotrun prepare --job job.json\n"
      "set -e\n"
      "spotrun submit --job=job.json --on-demand p3.2xlarge/us-west-2b\n"
      "spotrun submit --job none.json --fleet fleet.json\n",
      folder);
  std::filesystem::remove_all(folder);
  ASSERT_EQ(plan.steps.size(), 3u);
  const auto line = [&](std::size_t step) {
    return std::get<spotrun::CommandLine>(plan.steps[step].command);
  };
  EXPECT_EQ(line(0).command, "prepare");
  EXPECT_FALSE(plan.steps[0].ends_on_failure);
  EXPECT_EQ(line(1).on_demand, "p3.2xlarge/us-west-2b");
  EXPECT_TRUE(plan.steps[1].ends_on_failure);
  EXPECT_EQ(line(2).fleet, "fleet.json");
  EXPECT_EQ(plan.files, (std::map<std::string, std::string>{{"job.json", "{}"}}));
}

TEST(OperatorPlan, WhatIsNotUnderstoodIsRefusedByItsLine) {
  const auto refused = [](const std::string& script) -> std::string {
    try {
      plan_operator("set -e\n" + script, "");
    } catch (const ScriptError& error) {
      EXPECT_EQ(error.line, 2) << script;
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refused("bash operator.sh").find("`bash operator.sh`, expected spotrun's"),
            std::string::npos);
  EXPECT_NE(refused("spotrun prepare"), "");
  EXPECT_NE(refused("spotrun submit --job j"), "");
  EXPECT_NE(refused("spotrun submit --job j --fleet f --on-demand t/z"), "");
  EXPECT_NE(refused("spotrun submit --job j --fleet f --work 48h --deadline 60h"), "");
  for (const std::string option :
       {"--on-demand", "--fleet f --strategy", "--fleet f --max-price",
        "--fleet f --allocation-strategy", "--fleet f --on-demand-after-waiting",
        "--fleet f --work 48h --deadline 60h --strategy"}) {
    EXPECT_NE(refused("spotrun submit --job j " + option + " ''").find("found an empty text"),
              std::string::npos)
        << option;
  }
  EXPECT_NE(refused("spotrun instance --job j"), "");
  EXPECT_NE(refused("spotrun prepare --job j || true"), "");
  EXPECT_NE(refused("if true"), "");
  EXPECT_NE(refused("set -x"), "");
}

}  // namespace
}  // namespace sim::guest
