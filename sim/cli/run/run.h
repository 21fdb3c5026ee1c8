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
  std::optional<std::filesystem::path> out;  // one scenario: the folder itself; more: its parent
  std::optional<std::uint64_t> seed;         // instead of the scenario's own
  std::optional<run::GuestKind> guest;       // instead of the scenario's own
  std::optional<guest::Level> level;         // the same
  std::vector<std::string> set;              // KEY=VALUE, in all scenarios
  bool json = false;                         // print result.json to stdout, and nothing else there
  bool quiet = false;                        // no summary
  bool report = false;                       // write report.html, too
  std::optional<std::filesystem::path> junit;
  std::optional<std::filesystem::path> check_against;  // an events.jsonl that must come out again
};

// Exit status: 0 all expectations hold, 1 one does not (or the log differs, or a run failed that
// was not expected to), 2 bad input, 130 interrupted.
int run(const RunCommand& command);

}  // namespace sim::cli
