// Reports the findings of a search as text, as JSON and as runnable scenarios.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/events/event.h"
#include "sim/explore/search.h"
#include "sim/scenario/overrides.h"

namespace sim::explore {

// Writes explore.json and a runnable scenario for each failure. Returns the scenarios' paths in the
// order of the failures. Throws run::RunError.
std::vector<std::filesystem::path> write_findings(const Findings& findings, const Runner& runner,
                                                  const scenario::Overrides& overrides,
                                                  const std::filesystem::path& folder);

// The report for people: coverage, each failure with its evidence, and the command that repeats it.
std::string report(const Findings& findings, const Runner& runner,
                   const std::vector<std::filesystem::path>& scenarios);

Json to_json(const Findings& findings, const Runner& runner,
             const std::vector<std::filesystem::path>& scenarios);

// Indented JSON. Bytes of a console that are not UTF-8 are replaced.
std::string to_text(const Json& json);

}  // namespace sim::explore
