// The parts of `spotsim trace synth`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/cli/trace/trace_commands.h"

namespace sim::cli {

// A value "TYPE/AZ=VALUE" of --pool.
struct PoolOption {
  market::Pool pool;
  std::string_view value;
  std::string text;  // the complete text, for messages; `value` is its part after the pool
};

// --from and --to in whole seconds, or their defaults. Throws TraceError unless 1970 ≤ from < to ≤
// 2150.
std::pair<Time, Time> span_options(const SynthTrace& command, Time from, Time to);

// Draws from --pool's values, or like the source. Writes the trace, and compares source and drawn
// trace.
void synth_prices(const SynthTrace& command, const std::vector<PoolOption>& pools);
void synth_like(const market::PriceHistory& source, const SynthTrace& command);
void synth_availability(const SynthTrace& command, const std::vector<PoolOption>& pools);
void synth_like(const traces::AvailabilityTrace& source, const SynthTrace& command);

}  // namespace sim::cli
