// The commands under `spotsim trace`, one file each. All throw market::TraceError for bad input.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/market/price_history.h"

namespace sim::cli {

struct InspectTrace {
  std::filesystem::path file;
  bool json = false;
};
// Prints each pool's points, first and last time, and least, mean (over time) and greatest price.
void inspect_trace(const InspectTrace& command);

struct ImportTrace {
  std::vector<std::filesystem::path>
      files;  // where two have a point at one instant, the later counts
  std::filesystem::path out;
  std::string from, to;                   // times; empty: all there is
  std::vector<std::string> types, zones;  // empty: all there are
};
// Writes what was asked for as AWS's JSON.
void import_trace(const ImportTrace& command);

struct SynthesizeTrace {
  std::vector<std::string> pools;  // TYPE/AZ=PRICE or TYPE/AZ=PRICE:MIN..MAX
  std::string from, to;
  std::uint64_t seed = 0;
  std::string interval = "6h";
  double volatility_percent = 0.3;
  std::filesystem::path out;
};
// Draws a trace (sim/market/synthesize.h) and writes it as AWS's JSON.
void synthesize_trace(const SynthesizeTrace& command);

struct TraceStats {
  std::vector<std::filesystem::path> files;  // availability traces; no pool twice
  std::int64_t instances = 1;                // a pool is available when it has capacity for so many
  bool json = false;
};
// Prints each pool's availability, times between interruptions, and how well laws of lifetimes fit
// them; for few pools, their correlations.
void trace_stats(const TraceStats& command);

// The time that an option's value says. Throws TraceError naming the option.
Time time_option(const std::string& option, const std::string& value);

}  // namespace sim::cli
