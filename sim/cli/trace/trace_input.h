// The input of commands under `spotsim trace`: files, and the selection of pools.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "sim/traces/trace.h"

namespace CLI {
class App;
}

namespace sim::cli {

struct TraceInput {
  std::vector<std::filesystem::path> files;      // files or folders
  std::vector<std::string> pools, types, zones;  // empty: all
};
// Adds FILE… and --pool, --type, --zone.
void add_trace_input(CLI::App& app, TraceInput& input);

struct Source {
  std::filesystem::path file;
  std::string_view format, meaning;  // as in traces::Trace
};
struct Traces {
  std::vector<Source> sources;
  std::variant<market::PriceHistory, traces::AvailabilityTrace> content;
};
// Reads all files together. If several have a price of one instant, the last file's applies. Each
// pool's availability may be in one file only. Prices beside availability are joined to it
// (join_prices()). Throws TraceError if a requested pool is missing or no pool remains.
Traces read_traces(const TraceInput& input);

// True for the selected pools of a file.
bool selects(const TraceInput& input, const market::Pool& pool);

// The time or duration in an option's value. Throws TraceError with the option's name.
Time time_option(const std::string& option, const std::string& value);
Duration duration_option(const std::string& option, const std::string& value);

}  // namespace sim::cli
