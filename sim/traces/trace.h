// A trace of either kind, prices or availability. The content decides which.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/market/price_history.h"
#include "sim/traces/availability.h"
#include "sim/traces/trace_file.h"

namespace sim::traces {

struct Trace {
  std::string_view format;   // "aws-json", "windows"; a row of price_formats() or
                             // availability_formats()
  std::string_view meaning;  // of its numbers, in words: "US dollars an hour", "1 is unavailable"
  std::variant<market::PriceHistory, AvailabilityTrace> content;
  std::vector<std::string> warnings = {};  // remarks about an unusual file (PriceReading)
};

// Reads a trace of either kind in any format, plain or gzip. Throws TraceError.
Trace read_trace(const std::filesystem::path& file);
Trace parse_trace(const TraceFile& file);

// Returns a file itself. Of a folder it returns all files in the order of their names, except the
// index beside windows (kWindowsIndex), which is read with the windows. Throws TraceError for a
// folder without files, and for one that cannot be read.
std::vector<std::filesystem::path> trace_files(const std::filesystem::path& file_or_folder);

}  // namespace sim::traces
