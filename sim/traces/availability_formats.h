// The formats of availability traces: one file per reader, one row per format in the table.
#pragma once

#include <span>
#include <string_view>

#include "sim/traces/availability.h"
#include "sim/traces/trace_file.h"

namespace sim::traces {

// The meaning of a number in a file. Sources differ, and a wrong choice still looks plausible.
enum class Polarity { kInstancesAvailable, kOneIsUnavailable };

struct AvailabilityFormat {
  std::string_view name;
  std::string_view looks_like;  // for messages
  Polarity polarity;
  // Recognises the format by content; at most one format recognises a text.
  bool (*recognises)(std::string_view text);
  // Returns steps in any order, repetitions allowed; of two steps at one instant, the later in the
  // list counts. An `end` that is not after the last step is replaced by one tick of the median
  // length after it. Throws TraceError.
  AvailabilityTrace (*read)(const TraceFile& file);
};

extern const AvailabilityFormat kCapacityJson;
extern const AvailabilityFormat kPreemptedJson;
extern const AvailabilityFormat kNodeEvents;
extern const AvailabilityFormat kNodeEventsJson;
extern const AvailabilityFormat kNodeCounts;
extern const AvailabilityFormat kDatedCounts;
extern const AvailabilityFormat kDatedAvailability;
extern const AvailabilityFormat kTickLog;
extern const AvailabilityFormat kProbeCounts;
extern const AvailabilityFormat kWindows;

// All formats that can be read.
std::span<const AvailabilityFormat* const> availability_formats();

// The format that recognises a text; null when none does.
const AvailabilityFormat* availability_format_of(std::string_view text);

// Reads a file in this format; the result is sorted. Throws TraceError, also for a file without
// data.
AvailabilityTrace parse_as(const AvailabilityFormat& format, const TraceFile& file);
// Reads a file in the format that recognises it.
AvailabilityTrace parse_availability(const TraceFile& file);

// The file beside a set of windows: {"zones_in_order": ["us-west-2a_v100_1", …], "gap_seconds":
// 600}. It names the windows' pools, each with the same number of windows, and their tick.
inline constexpr std::string_view kWindowsIndex = "start_indices.json";
inline constexpr const char* kWindowStarts = "start_index";  // its key
inline constexpr Duration kWindowTick = 10min;               // if the file has none

// Reads the pool from a file's name; never fails.
market::Pool pool_of_trace_name(const std::filesystem::path& file);
// Parses a number of instances, 0 to a million.
std::optional<std::int64_t> parse_count(std::string_view text);
inline constexpr std::string_view kExpectedCount = "a number of instances, 0 to 1000000";
// Parses "0" or "1".
std::optional<bool> parse_bit(std::string_view text);
// Parses an instant, `text` × unit after 1970, at most 100 years.
std::optional<Time> parse_offset(std::string_view text, Duration unit);

}  // namespace sim::traces
