// scenarios/sweeps/daly.yaml, with fewer seeds: simulation and closed form at its eighteen points.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/scenario/scenario.h"
#include "sim/sweep/file/sweep_file.h"
#include "sim/sweep/run_all_for_test.h"
#include "sim/sweep/statistics.h"

namespace sim::sweep {
namespace {

const auto kFile = std::filesystem::path(SPOTSIM_SOURCE_DIR) / "scenarios/sweeps/daly.yaml";

// The shipped sweep with one text replaced.
SweepFile changed(const std::string& from, const std::string& to) {
  std::ostringstream file;
  file << std::ifstream(kFile).rdbuf();
  std::string text = file.str();
  const auto at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return parse_sweep(text.replace(at, from.size(), to), kFile);
}

std::string refused(const std::string& from, const std::string& to) {
  try {
    changed(from, to);
  } catch (const scenario::ScenarioError& error) {
    return std::string(error.what()).substr(kFile.string().size() + 1);
  }
  return "";
}

TEST(DalySweep, SimulatedMeansAreTheExpectedOnesAndLowestAtTheExactOptimum) {
  const SweepFile file = changed("seeds: 1-1000", "seeds: 1-150");
  const Grid& grid = file.sweep->grid();
  const auto summaries = summarize(grid, sweep::run_all(*file.sweep));
  ASSERT_EQ(summaries.size(), 18u);
  for (const Summary& s : summaries) {
    const std::string name =
        describe(grid.settings, s.setting) + " " + describe(grid.variants, s.variant);
    EXPECT_LT(std::abs(s.deviation.value()), 3) << name;
    const bool optimum = describe(grid.variants, s.variant) == "exact" ||
                         describe(grid.variants, s.variant) == "daly";
    EXPECT_TRUE(optimum || !s.pareto) << name;  // the lowest is the published or the exact optimum
  }
}

TEST(DalySweep, ReportsErrorsWithTheirPlaces) {
  EXPECT_EQ(
      refused("exact*0.4", "exac*0.4")
          .rfind("14:21: failing_job.intervals[1]: found \"exac*0.4\", expected a duration", 0),
      0u)
      << refused("exact*0.4", "exac*0.4");
  EXPECT_EQ(
      refused("exact*0.4", "12h")
          .rfind("14:21: failing_job.intervals[1]: found 12h, with which 500h of work take", 0),
      0u)
      << refused("exact*0.4", "12h");
  for (const auto& [from, to] : {std::pair{"work: 500h", "work: 0s"},
                                 {"price: 3.06", "price: 0"},
                                 {"15m]", "15]"},
                                 {"mean: ", "means: "},
                                 {"[daly", "[exact"},
                                 {"restart: 10m", "restart: 365d"},
                                 {"seeds: 1-1000", "seeds: x"},
                                 {"failing_job:", "failing_jobs:"}})
    EXPECT_NE(refused(from, to), "") << to;
}

}  // namespace
}  // namespace sim::sweep
