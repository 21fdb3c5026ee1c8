#include "sim/sagemaker/statuses.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace sim::sagemaker {
namespace {

constexpr std::string_view kEnds[] = {"Completed", "Failed", "Stopped", "MaxRuntimeExceeded",
                                      "MaxWaitTimeExceeded"};

TEST(Statuses, EachIsReachedFromCreation) {
  std::set<std::string_view> reached{""}, all;
  for (const Step& step : steps()) all.insert({step.from, step.to});
  for (std::size_t round = 0; round < steps().size(); ++round)
    for (const Step& step : steps())
      if (reached.contains(step.from)) reached.insert(step.to);
  EXPECT_EQ(reached, all);
}

TEST(Statuses, AJobThatHasEndedStaysSo) {
  for (const Step& step : steps())
    for (const std::string_view end : kEnds) EXPECT_NE(step.from, end) << step.to;
}

TEST(Statuses, AStepThatIsNotInTheTableIsNotAllowed) {
  EXPECT_TRUE(allowed("Interrupted", "Starting"));
  EXPECT_FALSE(allowed("Interrupted", "Training"));
  EXPECT_FALSE(allowed("Training", "Completed"));
}

}  // namespace
}  // namespace sim::sagemaker
