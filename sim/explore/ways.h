// Groups the failures of a search by their cause, and explains each with the script's lines and
// with what a correct script does.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/explore/script_lines.h"
#include "sim/explore/search.h"

namespace sim::explore {

// Failures that probably have one cause. They break the same invariant by faults of one family,
// such as all faults of calls; or they end the job with the same message. The numbers are places in
// Findings::failures, in order; the first failure is the example.
using Way = std::vector<std::size_t>;
// In the order of their first failures.
std::vector<Way> ways_to_fail(const Findings& findings);

// What a report adds to a failure.
struct Explanation {
  struct Line {
    std::string why;  // "the call", "the last call before", "the request" or "the console"
    ScriptLine at;
  };
  std::vector<Line> lines;
  // "A correct script …." for each kind of fault in the plan.
  std::vector<std::string> remedies;
};
Explanation explain(const Failure& failure, const Findings& findings,
                    const scenario::Scenario& scenario, const ScriptLines& scripts);

// "tried 214 of 700 single faults: 3 ways to break the job".
std::string summary_of(const Findings& findings);

}  // namespace sim::explore
