// The page of traces: prices, capacity and interruptions of each pool, with statistics.
#pragma once

#include <string>

#include "sim/cli/trace/trace_input.h"

namespace sim::cli {

// Throws TraceError if this build has no page.
std::string trace_page(const Traces& traces);

}  // namespace sim::cli
