// The commands under `spotsim trace`, one file each. All throw traces::TraceError for bad input.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/trace/trace_input.h"

namespace sim::cli {

struct ListTraces {
  bool json = false;
};
// Prints the traces that come with spotsim, and how to get AWS's prices.
void list_traces(const ListTraces& command);

struct InspectTrace {
  TraceInput input;
  bool json = false;
};
// Prints each file's format and meaning, and each pool's content. For prices: points, first and
// last time, and least, mean (over time) and greatest price. For availability: steps, first time
// and end, least and greatest capacity.
void inspect_trace(const InspectTrace& command);
// Prints the first part of inspect_trace(): a line for each file.
void print_sources(const Traces& traces);

struct ImportTrace {
  TraceInput input;
  std::filesystem::path out;  // prices: a file; availability: a folder
  std::string from, to;       // times; empty: the whole trace
  std::string tick;           // of availability; empty: the longest that loses nothing
};
// Writes prices as AWS's JSON, or availability as one capacity JSON per pool, ZONE_TYPE.json.
// Prints the formats of the input.
void import_trace(const ImportTrace& command);
// Writes a capacity JSON for each pool into the folder, and makes the folder if it is missing. Tick
// 0: each pool's common_tick().
void write_availability(const traces::AvailabilityTrace& trace, Duration tick,
                        const std::filesystem::path& folder);

struct SynthTrace {
  // Without files, --pool states what to draw: TYPE/AZ=PRICE[:MIN..MAX] or UP:DOWN.
  TraceInput input;
  std::string from, to;                      // empty: the source's
  std::filesystem::path instance_type_file;  // additional types for --pool; empty: none
  std::uint64_t seed = 0;
  // Prices without a source.
  std::string interval = "6h";
  double volatility_percent = 0.3, reversion_percent = 10;
  // Availability.
  std::string law = "best";  // of lifetime_laws(), "markov" or "best"
  std::int64_t instances = 1;
  std::string tick;                     // empty: the source's; 10 minutes without
  double up_shape = 1, down_shape = 1;  // Weibull's, without a source
  std::filesystem::path out;            // prices: a file; availability: a folder
  bool json = false;
};
// Draws a trace and writes it like `import`. With a source it prints the fit of each law, and a
// comparison of source and drawn trace.
void synth_trace(const SynthTrace& command);

struct TraceWindows {
  TraceInput input;
  std::string length, tick = "10m";
  std::int64_t count = 1, instances = 1;
  std::uint64_t seed = 0;
  std::filesystem::path out;
};
// Cuts windows at random starts, and writes them as lines of bits, with start_indices.json in the
// same folder.
void trace_windows(const TraceWindows& command);

struct TraceStats {
  TraceInput input;
  std::int64_t instances = 1;  // capacity that makes a pool available
  bool json = false;
};
// For availability: each pool's share of time, times between interruptions, and the fit of lifetime
// laws. For prices: quantiles over time, mean, changes per day. For few pools, their correlations.
void trace_stats(const TraceStats& command);

struct PlotTrace {
  TraceInput input;           // a picture has at most twelve pools
  std::filesystem::path out;  // .svg, .png or .html
};
// Draws a row for each pool: capacity as a band, prices as a step line. A page also has statistics.
void plot_trace(const PlotTrace& command);

}  // namespace sim::cli
