// Explains to the user why a run did not go as expected.
#pragma once

#include <filesystem>
#include <string>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/result/result.h"

namespace sim::cli {

// Explains a failed run in lines of text: how it ended and why, how far it came, and the end of the
// console of the failed or still running machine. The last line is the next command to type.
// `output` is the run's folder; a missing console counts as empty.
std::string what_happened(const result::Result& result, const std::filesystem::path& output,
                          const Styler& styled = {});

}  // namespace sim::cli
