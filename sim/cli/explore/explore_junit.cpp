#include "sim/cli/explore/explore_junit.h"

#include <fmt/format.h>

#include "sim/explore/ways.h"

namespace sim::cli {
namespace {

// One fact per line: the faults, the script's lines, the remedies, and the command that repeats it.
std::string details_of(const explore::Failure& failure, const explore::Explanation& explanation,
                       const std::filesystem::path& scenario) {
  std::string text;
  for (const std::string& fault : failure.tried.plan) text += fault + "\n";
  for (const explore::Explanation::Line& line : explanation.lines)
    text += fmt::format("{}: {}:{}: {}\n", line.why, line.at.file, line.at.number, line.at.text);
  for (const std::string& remedy : explanation.remedies) text += remedy + "\n";
  return text + "spotsim run " + scenario.string();
}

}  // namespace

JunitSuite junit_of(const explore::Findings& findings, const scenario::Scenario& scenario,
                    const std::vector<std::filesystem::path>& scenarios) {
  JunitSuite suite{.name = "explore " + scenario.name, .cases = {}};
  for (const auto& [kind, coverage] : findings.singles)
    suite.cases.push_back(
        {.name = fmt::format("{}: {} of {} points tried", kind, coverage.tried, coverage.points)});
  const explore::ScriptLines scripts(scenario);
  for (std::size_t i = 0; i < findings.failures.size(); ++i) {
    const explore::Failure& failure = findings.failures[i];
    suite.cases.push_back(
        {.name = failure.breach.sentence,
         .failure = "found " + failure.breach.found,
         .details = details_of(failure, explore::explain(failure, findings, scenario, scripts),
                               scenarios.at(i))});
  }
  return suite;
}

}  // namespace sim::cli
