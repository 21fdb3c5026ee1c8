#include "sim/cli/explore/explore_progress.h"

#include <gtest/gtest.h>

namespace sim::cli {
namespace {

using namespace std::chrono_literals;

TEST(ExploreProgress, ALogGetsALineNowAndThen) {
  std::string written;
  std::chrono::steady_clock::time_point now{};
  ExploreProgress progress(
      false, [&](const std::string& text) { written += text; }, [&] { return now; });
  for (std::size_t done = 1; done <= 50; ++done) {
    now += 1s;
    progress.hear("single faults", done, 50);
  }
  EXPECT_EQ(written,
            "single faults: 10/50\nsingle faults: 20/50\nsingle faults: 30/50\n"
            "single faults: 40/50\nsingle faults: 50/50\n");
}

TEST(ExploreProgress, ATerminalHasOneLineThatGoesAtTheEnd) {
  std::string written;
  ExploreProgress progress(true, [&](const std::string& text) { written += text; });
  progress.hear("single faults", 1, 2);
  EXPECT_EQ(written, "\r\033[Ksingle faults: 1/2");
  progress.hear("single faults", 2, 2);
  EXPECT_TRUE(written.ends_with("2/2\r\033[K")) << written;
}

TEST(ExploreProgress, ForecastsTheNumberOfRunsAndTheirTime) {
  EXPECT_EQ(forecast_line("az-hop", true,
                          {.points = 315, .singles = 9873, .runs = 9873, .a_run = 2ms, .all = 20s}),
            "az-hop: 9873 single faults at 315 points, 9873 runs with fiber guests, some 20 s");
  EXPECT_EQ(forecast_line("own", false, {.points = 20, .singles = 400, .runs = 100, .all = 300s}),
            "own: 400 single faults at 20 points, 100 runs with process guests, some 5 min");
  EXPECT_EQ(forecast_line("own", false,
                          {.points = 20, .singles = 400, .runs = 400, .all = 300s, .within = 90}),
            "own: 400 single faults at 20 points, some 90 of 400 runs with process guests in 5 min "
            "(--time)");
}

}  // namespace
}  // namespace sim::cli
