// What a run that did not go as expected leaves its user with.
#pragma once

#include <filesystem>
#include <string>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/result/result.h"

namespace sim::cli {

// Lines of text: how the run ended and the cause, how far it came, and the end of the console of
// the machine that failed or still runs; then the next command to type. `output` is the run's
// folder; a console that is not there counts as empty.
std::string what_happened(const run::Result& result, const std::filesystem::path& output,
                          const Styler& styled = {});

}  // namespace sim::cli
