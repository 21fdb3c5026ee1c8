// The command that carries out an advice.
#pragma once

#include <string>

#include "sim/sweep/advice/advice.h"

namespace sim::cli {

// `spotrun submit …`, on two lines if it is long, each indented and with a line feed.
std::string advice_command(const sweep::Question& question, const sweep::Advice& advice);

}  // namespace sim::cli
