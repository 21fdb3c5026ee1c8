// An advice as text for people.
#pragma once

#include <string>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/sweep/advice/advice_file.h"

namespace sim::cli {

// The advice as text, at most 110 columns wide: what to do, the alternatives, the results in other
// worlds, the assumptions, and the command to run.
std::string advice_text(const sweep::AdviceFile& file, const sweep::Advice& advice,
                        const Styler& styled = {});

}  // namespace sim::cli
