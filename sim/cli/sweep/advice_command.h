// The command that does what an advice says.
#pragma once

#include <string>

#include "sim/sweep/advice/advice.h"

namespace sim::cli {

// `spotrun submit …`, on two lines where it is long, each indented and with its line feed.
std::string advice_command(const sweep::Question& question, const sweep::Advice& advice);

}  // namespace sim::cli
