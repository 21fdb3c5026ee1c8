#include "sim/cli/run/run_junit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sim::cli {
namespace {

JunitCase case_of(const result::Verdict& verdict) {
  JunitCase one{.name = verdict.what};
  if (verdict.fails()) {
    one.failure = "found " + verdict.found;
    one.details = fmt::format("{}", fmt::join(verdict.lines, "\n"));
  }
  if (verdict.excused())
    one.output = fmt::format("broken, as expected: {} (excused by {})", verdict.found,
                             fmt::join(verdict.excused_by, ", "));
  return one;
}

}  // namespace

JunitSuite junit_of(const result::Result& result) {
  JunitSuite suite{.name = result.scenario, .cases = {}};
  for (const auto* list : {&result.expectations, &result.invariants})
    for (const result::Verdict& verdict : *list) suite.cases.push_back(case_of(verdict));
  return suite;
}

}  // namespace sim::cli
