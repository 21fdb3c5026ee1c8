// Zeros and ones: `date,availability` (SkyNomad's nine zones, 1 is available), `tick,time,bit`
// (SkyPilot's logs of 2022, 1 is unavailable), and lines of bits (the windows of "Can't Be Late", 1
// is unavailable).
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/traces/availability_formats.h"
#include "sim/traces/csv.h"
#include "sim/traces/trace_fields.h"

namespace sim::traces {
namespace {

constexpr std::string_view kDatedHeader = "date,availability";
constexpr std::string_view kExpectedBit = "0 or 1";

AvailabilityTrace read_dated(const TraceFile& file) {
  CapacitySeries series;
  read_csv(file, [&](std::size_t line, auto fields) {
    const auto at = parse_time(fields[0]);
    if (!at) fail_at_line(file, line, "date", fields[0], kExpectedTime);
    const auto there = parse_bit(fields[1]);
    if (!there) fail_at_line(file, line, "availability", fields[1], kExpectedBit);
    series.steps.push_back({*at, *there ? 1 : 0});
  });
  return {{{pool_of_trace_name(file.path), std::move(series)}}};
}

bool is_tick_log(std::string_view text) {
  const std::string_view line = first_line(text);
  const std::size_t comma = line.find(',');
  const std::size_t second = line.find(',', comma + 1);
  return second != line.npos && line.find(',', second + 1) == line.npos &&
         parse_count(line.substr(0, comma)) &&
         parse_time(line.substr(comma + 1, second - comma - 1)) &&
         line.substr(comma + 1).find('T') != line.npos;
}

AvailabilityTrace read_tick_log(const TraceFile& file) {
  CapacitySeries series;
  read_rows(file, 3, "tick,time,unavailable", [&](std::size_t line, auto fields) {
    const auto at = parse_time(fields[1]);
    if (!at) fail_at_line(file, line, "time", fields[1], kExpectedTime);
    const auto gone = parse_bit(fields[2]);
    if (!gone) fail_at_line(file, line, "unavailable", fields[2], kExpectedBit);
    series.steps.push_back({*at, *gone ? 0 : 1});
  });
  return {{{pool_of_trace_name(file.path), std::move(series)}}};
}

bool is_bits(std::string_view text) {
  const std::string_view line = first_line(text);
  return line.size() > 1 && line.find_first_not_of("01") == line.npos;
}

// The contents of start_indices.json, a file in the same folder as the windows.
struct Index {
  std::vector<market::Pool> pools;  // in the order of the windows
  Duration tick = kWindowTick;
  std::vector<std::int64_t> starts{};  // of each pool's windows in its trace, in ticks; or none
};

// The same starts for all pools.
std::vector<std::int64_t> starts_in(const TraceFile& text, const nlohmann::json& json) {
  constexpr std::int64_t kMost = 1'000'000'000;  // ticks
  std::vector<std::int64_t> starts;
  const auto found = json.find(kWindowStarts);
  if (found == json.end()) return starts;
  const std::string expected = "a list of the ticks that each zone's windows start at";
  if (!found->is_array())
    fail_file(text, std::string(kWindowStarts) + " that is no list", expected);
  for (const auto& start : *found) {
    if (!start.is_number_integer() || start < 0 || start > kMost)
      fail_file(text, fmt::format("{} {}", kWindowStarts, start.dump()), expected);
    starts.push_back(start.get<std::int64_t>());
  }
  return starts;
}

// If the file is missing, there is one pool, named after the window's file.
Index index_beside(const TraceFile& file) {
  const std::filesystem::path beside = file.path.parent_path() / kWindowsIndex;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(beside, ignored))
    return {.pools = {pool_of_trace_name(file.path)}};
  const TraceFile text = load_trace_file(beside);
  const auto json = nlohmann::json::parse(text.text, nullptr, false);
  Index index;
  if (json.is_object() && json.contains("zones_in_order") && json["zones_in_order"].is_array()) {
    for (const auto& zone : json["zones_in_order"])
      if (zone.is_string()) index.pools.push_back(pool_of_trace_name(zone.get<std::string>()));
  }
  if (index.pools.empty()) fail_file(text, "no zones_in_order", "a list of the windows' zones");
  if (const auto gap = json.find("gap_seconds"); gap != json.end()) {
    if (!gap->is_number_integer() || *gap < 1 || *gap > 86'400)
      fail_file(text, "gap_seconds " + gap->dump(), "1 to 86400 seconds");
    index.tick = std::chrono::seconds(gap->get<std::int64_t>());
  }
  index.starts = starts_in(text, json);
  return index;
}

CapacitySeries window_of(std::string_view bits, Duration tick) {
  CapacitySeries series;
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (i == 0 || bits[i] != bits[i - 1])
      series.steps.push_back({Time{static_cast<std::int64_t>(i) * tick}, bits[i] == '0' ? 1 : 0});
  series.end = Time{static_cast<std::int64_t>(bits.size()) * tick};
  return series;
}

// Each line is a pool of its own, TYPE#NNNN with the window's number in its zone.
AvailabilityTrace read_windows(const TraceFile& file) {
  const Index index = index_beside(file);
  std::vector<CapacitySeries> windows;
  read_rows(file, 1, "zeros and ones", [&](std::size_t line, auto fields) {
    if (fields[0].find_first_not_of("01") != std::string_view::npos)
      fail_at_line(file, line, "window", fields[0], "zeros and ones");
    if (static_cast<std::int64_t>(fields[0].size()) > (kLatestTime - kEarliestTime) / index.tick)
      fail_at_line(file, line, "window", fields[0], kExpectedTimes);
    windows.push_back(window_of(fields[0], index.tick));
  });
  if (windows.size() % index.pools.size() != 0)
    fail_file(file, std::to_string(windows.size()) + " windows",
              "as many for each of the " + std::to_string(index.pools.size()) + " zones");
  const std::size_t each = std::max<std::size_t>(1, windows.size() / index.pools.size());
  if (!index.starts.empty() && index.starts.size() != each)
    fail_file(file, fmt::format("{} windows of each zone", each),
              fmt::format("the {} of {} in {}", index.starts.size(), kWindowStarts, kWindowsIndex));
  AvailabilityTrace trace;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    market::Pool pool = index.pools[i / each];
    pool.instance_type += fmt::format("#{:04}", i % each);
    if (!index.starts.empty()) windows[i].cut_at = index.starts[i % each] * index.tick;
    trace.pools[pool] = std::move(windows[i]);
  }
  return trace;
}

}  // namespace

const AvailabilityFormat kDatedAvailability{
    "dated-availability", "date,availability: 1 is available", Polarity::kInstancesAvailable,
    [](std::string_view text) { return first_line(text) == kDatedHeader; }, read_dated};
const AvailabilityFormat kTickLog{"tick-log", "0,2022-11-28T22:23:37.000Z,1: 1 is unavailable",
                                  Polarity::kOneIsUnavailable, is_tick_log, read_tick_log};
const AvailabilityFormat kWindows{"windows", "lines of 0 and 1, a window each: 1 is unavailable",
                                  Polarity::kOneIsUnavailable, is_bits, read_windows};

}  // namespace sim::traces
