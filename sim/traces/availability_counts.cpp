// Reads numbers of instances at instants. Three formats exist:
// - `ms,count` without a header: Parcae's p3.csv, and Bamboo's own recordings with seconds or
//   decimal hours
// - `date, time, count`: Bamboo's Google Cloud traces
// - a table of probes with a column for each zone: SkyNomad's H100 counts
#include <algorithm>

#include "sim/traces/availability_formats.h"
#include "sim/traces/csv.h"
#include "sim/traces/trace_fields.h"

namespace sim::traces {
namespace {

std::size_t commas(std::string_view line) {
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
}

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return '0' <= c && c <= '9'; });
}

std::int64_t count_of(const TraceFile& file, std::size_t line, std::string_view name,
                      std::string_view field) {
  const auto count = parse_count(field);
  if (!count) fail_at_line(file, line, name, field, kExpectedCount);
  return *count;
}

// Whether the text is a whole number or a decimal number.
bool is_number(std::string_view text) {
  const std::size_t point = text.find('.');
  return all_digits(text.substr(0, point)) &&
         (point == text.npos || all_digits(text.substr(point + 1)));
}

bool is_node_counts(std::string_view text) {
  const std::string_view line = first_line(text);
  const std::size_t comma = line.find(',');
  return commas(line) == 1 && is_number(line.substr(0, comma)) &&
         all_digits(line.substr(comma + 1));
}

// Parses decimal hours to the thousandth of an hour, the precision of Bamboo's recordings.
std::optional<Time> parse_hours(std::string_view text) {
  const std::size_t point = text.find('.');
  if (!is_number(text) || point == text.npos || text.size() - point != 4) return std::nullopt;
  const std::string thousandths =
      std::string(text.substr(0, point)) + std::string(text.substr(point + 1));
  return parse_offset(thousandths, Duration(1h) / 1000);
}

// Bamboo's own recordings: the times are seconds, or hours if they have decimals.
bool is_recording(const TraceFile& file) {
  return file.path.filename().string().starts_with("aws-spot-instances-");
}

AvailabilityTrace read_node_counts(const TraceFile& file) {
  const bool in_hours = first_line(file.text).find('.') != std::string_view::npos;
  const Duration unit = is_recording(file) ? Duration(1s) : Duration(1ms);
  CapacitySeries series;
  read_rows(file, 2, "time,count", [&](std::size_t line, auto fields) {
    const auto at = in_hours ? parse_hours(fields[0]) : parse_offset(fields[0], unit);
    if (!at)
      fail_at_line(file, line, "time", fields[0],
                   in_hours ? "hours such as 5.980" : "a whole number such as 480000");
    series.steps.push_back({*at, count_of(file, line, "count", fields[1])});
  });
  return {{{pool_of_trace_name(file.path), std::move(series)}}};
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool is_dated_counts(std::string_view text) {
  const std::string_view line = first_line(text);
  return commas(line) == 2 && line.find(", ") != line.npos &&
         parse_time(line.substr(0, line.find(',')));
}

AvailabilityTrace read_dated_counts(const TraceFile& file) {
  CapacitySeries series;
  read_rows(file, 3, "date, time, count", [&](std::size_t line, auto fields) {
    const std::string text =
        std::string(trimmed(fields[0])) + "T" + std::string(trimmed(fields[1]));
    const auto at = parse_time(text);
    if (!at) fail_at_line(file, line, "date, time", text, kExpectedTime);
    series.steps.push_back({*at, count_of(file, line, "count", trimmed(fields[2]))});
  });
  return {{{pool_of_trace_name(file.path), std::move(series)}}};
}

bool is_probe_counts(std::string_view text) {
  return first_line(text).starts_with("scheduled_at,status,");
}

AvailabilityTrace read_probe_counts(const TraceFile& file) {
  std::vector<std::string_view> zones;
  for (std::string_view rest = first_line(file.text);;) {
    const std::size_t comma = rest.find(',');
    zones.push_back(rest.substr(0, comma));
    if (comma == rest.npos) break;
    rest.remove_prefix(comma + 1);
  }
  const std::string what = pool_of_trace_name(file.path).instance_type;
  AvailabilityTrace trace;
  read_csv(file, [&](std::size_t line, auto fields) {
    const auto at = parse_time(fields[0]);
    if (!at) fail_at_line(file, line, "scheduled_at", fields[0], kExpectedTime);
    if (fields[1] != "success") return;  // nothing is known then
    for (std::size_t i = 2; i < zones.size(); ++i) {
      trace.pools[{what, std::string(zones[i])}].steps.push_back(
          {*at, count_of(file, line, zones[i], fields[i])});
    }
  });
  return trace;
}

}  // namespace

const AvailabilityFormat kNodeCounts{
    "node-counts", "480000,12 (milliseconds; seconds in aws-spot-instances-*) or 5.980,12 (hours)",
    Polarity::kInstancesAvailable, is_node_counts, read_node_counts};
const AvailabilityFormat kDatedCounts{"dated-counts", "2021-12-10, 13:07:45, 80",
                                      Polarity::kInstancesAvailable, is_dated_counts,
                                      read_dated_counts};
const AvailabilityFormat kProbeCounts{"probe-counts", "scheduled_at,status,us-east4-a,us-east4-b,…",
                                      Polarity::kInstancesAvailable, is_probe_counts,
                                      read_probe_counts};

}  // namespace sim::traces
