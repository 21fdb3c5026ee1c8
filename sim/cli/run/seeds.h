// `spotsim run --seeds`: a scenario with several seeds, side by side, and a table of the results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/cli/junit.h"
#include "sim/cli/run/run.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/market/usd.h"

namespace sim::cli {

// The seeds of "1-20" or "1,5,9-12", in this order; none for an empty text. Throws
// std::runtime_error for other texts and for a seed that occurs twice.
std::vector<std::uint64_t> seeds_of(const std::string& text);

// The result of one seed, as the table shows it.
struct SeedRow {
  std::uint64_t seed = 0;
  std::string outcome;
  bool good = true;  // as expected
  Duration makespan{}, lost_time{};
  market::Usd cost{};
  std::int64_t lost_steps = 0;
  bool reports_progress = true;  // false: the lost progress is unknown
  std::string fingerprint;
  std::vector<std::string> missing_actions = {};  // "ssm SendCommand": that spotsim does not have
};

// A line for each seed, and the means with half of their 95 % intervals (Student's t). Runs that
// did not complete count at their cost and loss so far; the makespan's mean leaves them out.
std::string seeds_table(const std::string& scenario, const std::vector<SeedRow>& rows,
                        const Styler& styled = {});

// Makes the runs, each in a process of its own, and writes the files of each as `spotsim run
// --seed` does. Prints the table. The output does not depend on the number of runs at a time.
// Returns the highest exit status of the runs. Throws std::runtime_error.
int run_seeds(const RunCommand& command, const scenario::Scenario& scenario,
              const std::vector<std::uint64_t>& seeds, std::vector<JunitSuite>& suites);

}  // namespace sim::cli
