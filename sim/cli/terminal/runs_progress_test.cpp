#include "sim/cli/terminal/runs_progress.h"

#include <gtest/gtest.h>

namespace sim::cli {
namespace {

using namespace std::chrono_literals;

// The messages about runs of ten seconds each. No line is drawn, because stderr is no terminal.
std::string said_of(std::size_t all, std::size_t at_once, bool quiet = false) {
  testing::internal::CaptureStderr();
  std::chrono::steady_clock::time_point now{};
  RunsProgress progress("job", all, at_once, quiet, [&] { return now; });
  for (std::size_t done = 0; done < all; ++done) {
    if (done % at_once == 0) now += 10s;
    progress.add();
  }
  progress.clear();
  return testing::internal::GetCapturedStderr();
}

TEST(RunsProgress, SaysHowManyRunsBeforehandAndEstimatesAfterTheFirst) {
  EXPECT_EQ(said_of(6, 2), "spotsim: job: 6 runs, 2 at a time\nspotsim: job: about 20 s more\n");
  EXPECT_EQ(said_of(5, 1), "spotsim: job: 5 runs, 1 at a time\nspotsim: job: about 40 s more\n");
}

TEST(RunsProgress, SaysTheNumberBeforeAnyRunEnds) {
  testing::internal::CaptureStderr();
  const RunsProgress progress("job", 20, 2, false);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "spotsim: job: 20 runs, 2 at a time\n");
}

TEST(RunsProgress, StatesNoMoreRunsAtATimeThanThereAre) {
  EXPECT_EQ(said_of(2, 8), "spotsim: job: 2 runs, 2 at a time\nspotsim: job: about 0 s more\n");
}

TEST(RunsProgress, OfOneRunOrWhenQuietSaysNothing) {
  EXPECT_EQ(said_of(1, 2), "");
  EXPECT_EQ(said_of(6, 2, true), "");
}

}  // namespace
}  // namespace sim::cli
