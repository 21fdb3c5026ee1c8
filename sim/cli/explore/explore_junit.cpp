#include "sim/cli/explore/explore_junit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sim::cli {

JunitSuite junit_of(const explore::Findings& findings, const std::string& name,
                    const std::vector<std::filesystem::path>& scenarios) {
  JunitSuite suite{.name = "explore " + name, .cases = {}};
  for (const auto& [kind, coverage] : findings.singles)
    suite.cases.push_back(
        {.name = fmt::format("{}: {} of {} points tried", kind, coverage.tried, coverage.points)});
  for (std::size_t i = 0; i < findings.failures.size(); ++i) {
    const explore::Failure& failure = findings.failures[i];
    suite.cases.push_back(
        {.name = failure.breach.sentence,
         .failure = "found " + failure.breach.found,
         .details = fmt::format("{}\nspotsim run {}", fmt::join(failure.tried.plan, "\n"),
                                scenarios.at(i).string())});
  }
  return suite;
}

}  // namespace sim::cli
