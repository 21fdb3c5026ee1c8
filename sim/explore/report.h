// What a search found, for people and for programs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/events/event.h"
#include "sim/explore/search.h"
#include "sim/scenario/overrides.h"

namespace sim::explore {

// Writes a runnable scenario for each failure and explore.json; returns the scenarios' paths, in
// the failures' order. Throws run::RunError.
std::vector<std::filesystem::path> write_findings(const Findings& findings, const Runner& runner,
                                                  const run::Overrides& overrides,
                                                  const std::filesystem::path& folder);

// Coverage, failures with what happened, and the command that shows each again.
std::string report(const Findings& findings, const Runner& runner,
                   const std::vector<std::filesystem::path>& scenarios);

Json to_json(const Findings& findings, const Runner& runner,
             const std::vector<std::filesystem::path>& scenarios);

// Indented; bytes of a console that are no UTF-8 are replaced.
std::string to_text(const Json& json);

}  // namespace sim::explore
