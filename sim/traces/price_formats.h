// The formats of price histories: one file per reader, one row per format in the table.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/market/price_history.h"
#include "sim/traces/trace_file.h"

namespace sim::traces {

// The part of a text that is one price, so that the place of a price can be found again.
enum class Records { kNone, kLines, kLinesBelowHeader, kObjects };

struct PriceFormat {
  std::string_view name;
  std::string_view looks_like;  // for messages
  // Recognises the format by content; at most one format recognises a text.
  bool (*recognises)(std::string_view text);
  // Returns points in the order of the file; of two points at one instant, the later in the file
  // counts. The file is read in up to `parts` parts at once; the result does not depend on the
  // number. Remarks about an unusual but readable file are added to `warnings`. Throws TraceError.
  market::PriceHistory (*read)(const TraceFile& file, std::size_t parts,
                               std::vector<std::string>& warnings);
  Records records = Records::kNone;
  // Whether read() accepts a file that is given by its beginning only.
  bool from_beginning = false;
};

extern const PriceFormat kAwsJson;
extern const PriceFormat kAwsArray;
extern const PriceFormat kAwsJsonLines;
extern const PriceFormat kAwsTable;
extern const PriceFormat kZoneIdTsv;
extern const PriceFormat kCsvMarkets;
extern const PriceFormat kCsvTimestamps;
extern const PriceFormat kCsvEpochMs;
extern const PriceFormat kPriceTicks;
extern const PriceFormat kPriceTicksByPool;

// All formats that can be read.
std::span<const PriceFormat* const> price_formats();

// Whether the text is the whole file, or the price format reads the rest itself.
bool is_enough(const TraceFile& file);

// The format that recognises a text; null when none does.
const PriceFormat* price_format_of(std::string_view text);

// One part per core, fewer for a small file.
std::size_t usual_parts(const TraceFile& file);

// A history and the warnings about its file: two prices of a pool at one instant, two products of a
// pool. Each warning has file, line, the values found and the price that counts.
struct PriceReading {
  market::PriceHistory history;
  std::vector<std::string> warnings;
};

// Reads a file in this format; the result is sorted. Throws TraceError, also for a file without
// points.
PriceReading parse_as(const PriceFormat& format, const TraceFile& file, std::size_t parts);
// Reads a file in the format that recognises it.
market::PriceHistory parse_price_history(const TraceFile& file, std::size_t parts);
inline market::PriceHistory parse_price_history(const TraceFile& file) {
  return parse_price_history(file, usual_parts(file));
}

// Reads a trace in any of these formats, plain, gzip or zstd. docs/traces.md lists them. Throws
// TraceError.
PriceReading read_prices(const std::filesystem::path& file);
inline market::PriceHistory read_price_history(const std::filesystem::path& file) {
  return read_prices(file).history;
}

// Writes the JSON of describe-spot-price-history, newest first as AWS does.
std::string to_aws_json(const market::PriceHistory& history);
// Writes the file completely or not at all: to a temporary file first, which is then renamed.
// Throws TraceError.
void write_price_history(const market::PriceHistory& history, const std::filesystem::path& file);

}  // namespace sim::traces
