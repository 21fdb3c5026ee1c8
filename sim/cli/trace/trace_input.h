// The traces that a command under `spotsim trace` reads, and what is selected of them.
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
  std::vector<std::filesystem::path> files;      // or folders of them
  std::vector<std::string> pools, types, zones;  // empty: all there are
};
// Adds FILE… and --pool, --type, --zone.
void add_trace_input(CLI::App& app, TraceInput& input);

struct Source {
  std::filesystem::path file;
  std::string_view format, meaning;  // as in market::Trace
};
struct Traces {
  std::vector<Source> sources;
  std::variant<market::PriceHistory, market::AvailabilityTrace> content;
};
// All files together. Of prices at one instant the later file's counts; availability has each pool
// in one file only. Prices beside availability are joined to it (join_prices()). Throws TraceError
// where a pool that was asked for is not there or none is left.
Traces read_traces(const TraceInput& input);

// What is selected, of one file's pools.
bool selects(const TraceInput& input, const market::Pool& pool);

// The time or duration that an option's value says. Throws TraceError naming the option.
Time time_option(const std::string& option, const std::string& value);
Duration duration_option(const std::string& option, const std::string& value);

}  // namespace sim::cli
