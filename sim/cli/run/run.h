// spotsim run SCENARIO…
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/guest/sandbox/level.h"
#include "sim/scenario/scenario.h"

namespace sim::cli {

struct RunCommand {
  std::vector<std::filesystem::path> scenarios;
  // The output folder of one run, or the parent of the folders of several runs.
  std::optional<std::filesystem::path> out;
  std::optional<std::uint64_t> seed;  // instead of the scenario's own
  std::string seeds;  // such as "1-20": a run with each of them, side by side; empty: one run
  unsigned jobs = 0;  // maximum number of runs at a time with `seeds`; 0: one per core
  std::optional<scenario::GuestKind> guest;  // instead of the scenario's own
  std::optional<guest::Level> level;         // instead of the scenario's own
  std::vector<std::string> set;              // KEY=VALUE, in all scenarios
  bool json = false;                         // print result.json to stdout, and nothing else
  bool quiet = false;                        // no summary
  bool report = false;                       // write report.html, too
  std::optional<std::filesystem::path> junit;
  std::optional<std::filesystem::path> check_against;  // an events.jsonl that must come out again
};

// The exit statuses of runs.
inline constexpr int kHolds = 0, kFails = 1, kBadInput = 2, kInterrupted = 130;

// Exit status: 0 if all expectations hold; 1 if one does not, if the log differs, or if a run
// failed unexpectedly; 2 for bad input; 130 if interrupted.
int run(const RunCommand& command);

}  // namespace sim::cli
