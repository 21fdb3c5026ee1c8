// A result as a person reads it at a glance.
#pragma once

#include <string>

#include "sim/result/result.h"

namespace sim::cli {

// Lines of text: attempts, ledgers, losses, savings, expectations.
std::string summary(const run::Result& result);

}  // namespace sim::cli
