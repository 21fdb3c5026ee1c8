#include "sim/cli/run/seeds.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace sim::cli {
namespace {

TEST(Seeds, AreRangesAndLists) {
  EXPECT_EQ(seeds_of("1-3"), (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(seeds_of("7,1-2"), (std::vector<std::uint64_t>{7, 1, 2}));
  EXPECT_TRUE(seeds_of("").empty());
  for (const char* wrong : {"3-1", "x", "1-2,2", "-1", "1-"})
    EXPECT_THROW(seeds_of(wrong), std::runtime_error) << wrong;
}

TEST(Seeds, TheTableHasALineForEachSeedAndTheMeans) {
  const std::vector<SeedRow> rows{{.seed = 1,
                                   .outcome = "completed",
                                   .makespan = 60min,
                                   .lost_time = 10min,
                                   .cost = {1'000'000'000},
                                   .lost_steps = 4,
                                   .fingerprint = "0123456789abcdef"},
                                  {.seed = 2,
                                   .outcome = "deadline",
                                   .good = false,
                                   .makespan = 2h,
                                   .cost = {3'000'000'000},
                                   .reports_progress = false,
                                   .fingerprint = "fedcba9876543210"}};
  EXPECT_EQ(
      seeds_table("s", rows),
      "\ns: 2 seeds\n"
      "  seed  outcome    makespan      cost  lost steps  lost time  fingerprint\n"
      "     1  completed        1h   $1.0000           4        10m  0123456789abcdef\n"
      "     2  deadline         2h   $3.0000           -          -  fedcba9876543210  NOT as "
      "expected\n"
      "\n  completed   1 of 2\n"
      "  makespan    1h\n"
      "  cost        $2.0000 ± $12.7062\n"
      "  lost steps  4.00\n"
      "  lost time   10m\n");
}

TEST(Seeds, TheTableBeginsWithMissingActions) {
  const SeedRow without{.seed = 1, .outcome = "completed", .fingerprint = "0123456789abcdef"};
  SeedRow with = without;
  with.missing_actions = {"CreateVpcEndpoint", "ssm SendCommand"};
  const std::string text = seeds_table("s", {without, with, with});
  const std::string begin =
      "\nMissing AWS actions in 2 of 3 runs: these calls returned an error, so the run may show "
      "what the script does without them\n  CreateVpcEndpoint, ssm SendCommand\n\ns: 3 seeds\n";
  EXPECT_EQ(text.substr(0, begin.size()), begin);
}

}  // namespace
}  // namespace sim::cli
