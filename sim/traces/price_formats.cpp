#include "sim/traces/price_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/process/in_parallel.h"
#include "sim/market/price_history.h"
#include "sim/traces/csv.h"
#include "sim/traces/price_conflicts.h"
#include "sim/traces/trace_fields.h"
#include "sim/traces/trace_file.h"

namespace sim::traces {
namespace {

constexpr std::array kPriceFormats{&kAwsJson,    &kAwsArray,        &kAwsJsonLines,  &kAwsTable,
                                   &kZoneIdTsv,  &kCsvMarkets,      &kCsvTimestamps, &kCsvEpochMs,
                                   &kPriceTicks, &kPriceTicksByPool};

}  // namespace

std::span<const PriceFormat* const> price_formats() { return kPriceFormats; }

const PriceFormat* price_format_of(std::string_view text) {
  for (const PriceFormat* format : kPriceFormats)
    if (format->recognises(text)) return format;
  return nullptr;
}

std::size_t usual_parts(const TraceFile& file) {
  constexpr std::size_t kShortest = 1 << 20;  // bytes; a thread for less does not pay
  const std::uintmax_t size = std::max<std::uintmax_t>(file.text.size(), file.size);
  return std::clamp<std::size_t>(size / kShortest, 1, base::cores());
}

bool is_enough(const TraceFile& file) {
  if (file.size == 0) return true;
  const PriceFormat* const format = price_format_of(file.text);
  return format && format->from_beginning;
}

PriceReading parse_as(const PriceFormat& format, const TraceFile& file, std::size_t parts) {
  PriceReading reading;
  market::PriceHistory& history = reading.history;
  history = format.read(file, parts, reading.warnings);
  std::erase_if(history.pools, [](const auto& entry) { return entry.second.empty(); });
  if (history.pools.empty()) fail_file(file, "no prices", "at least one");
  PriceConflicts conflicts;
  for (auto& [pool, points] : history.pools) {
    conflicts.look_at(pool, points);
    market::put_in_order(points);
    for (const Time at : {points.front().at, points.back().at})
      if (at < kEarliestTime || at > kLatestTime) fail_file(file, iso_seconds(at), kExpectedTimes);
  }
  conflicts.tell(format, file, reading);
  return reading;
}

namespace {

PriceReading parse(const TraceFile& file, std::size_t parts) {
  if (const PriceFormat* format = price_format_of(file.text)) return parse_as(*format, file, parts);
  std::string expected = "a price history that begins like one of:";
  for (const PriceFormat* format : kPriceFormats) (expected += "\n  ") += format->looks_like;
  fail_at_line(file, 1, "format", first_line(file.text), expected);
}

}  // namespace

market::PriceHistory parse_price_history(const TraceFile& file, std::size_t parts) {
  return parse(file, parts).history;
}

PriceReading read_prices(const std::filesystem::path& file) {
  TraceFile beginning = open_trace_file(file);
  if (!is_enough(beginning)) beginning = load_trace_file(file);
  return parse(beginning, usual_parts(beginning));
}

// Writes AWS's JSON with one entry per line, so that a changed price is a changed line.

namespace {

// AWS prints six decimals; a price that needs more decimals gets them.
std::string six_decimals(market::Usd price) {
  std::string text = market::format_usd(price);
  const std::size_t decimals = text.size() - text.find('.') - 1;
  if (decimals < 6) text.append(6 - decimals, '0');
  return text;
}

std::string timestamp(Time t) {
  const bool whole_second = t.time_since_epoch() % std::chrono::seconds{1} == Duration::zero();
  if (!whole_second) return iso_nanoseconds(t);
  std::string text = iso_seconds(t);
  return text.replace(text.size() - 1, 1, "+00:00");
}

}  // namespace

std::string to_aws_json(const market::PriceHistory& history) {
  struct Line {
    const market::Pool* pool;
    market::PricePoint point;
  };
  std::vector<Line> lines;
  for (const auto& [pool, points] : history.pools)
    for (const market::PricePoint& point : points) lines.push_back({&pool, point});
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.point.at > b.point.at; });
  std::string text = "{\"SpotPriceHistory\": [";
  const char* between = "\n";
  for (const auto& [pool, point] : lines) {
    text += fmt::format(R"({}{{"AvailabilityZone": "{}", "InstanceType": "{}", )"
                        R"("ProductDescription": "Linux/UNIX", "SpotPrice": "{}", )"
                        R"("Timestamp": "{}"}})",
                        between, pool->availability_zone, pool->instance_type,
                        six_decimals(point.price), timestamp(point.at));
    between = ",\n";
  }
  return text + "\n]}\n";
}

void write_price_history(const market::PriceHistory& history, const std::filesystem::path& file) {
  write_trace_files(std::array{TraceFile{file, to_aws_json(history)}});
}

}  // namespace sim::traces
