// An advice in lines that a person reads.
#pragma once

#include <string>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/sweep/advice/advice_file.h"

namespace sim::cli {

// What to do, what else was looked at, what if the world is another, what it rests on, and the
// command that does it; at most 110 columns wide.
std::string advice_text(const run::AdviceFile& file, const sweep::Advice& advice,
                        const Styler& styled = {});

}  // namespace sim::cli
