// The formats that price histories come in: one row each in the table, one reader a file.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/market/price_history.h"
#include "sim/traces/trace_file.h"

namespace sim::market {

// What of a text is one price, so that the place of a price can be found again.
enum class Records { kNone, kLines, kLinesBelowHeader, kObjects };

struct PriceFormat {
  std::string_view name;
  std::string_view looks_like;  // for messages
  // By content; at most one format recognises a text.
  bool (*recognises)(std::string_view text);
  // Points in the order of the file; where two stand at one instant, the later one counts. The
  // file is read in so many parts at once, which shows in the time it takes alone. What is odd
  // about the file, and is read all the same, is added to `warnings`. Throws TraceError.
  PriceHistory (*read)(const TraceFile& file, std::size_t parts,
                       std::vector<std::string>& warnings);
  Records records = Records::kNone;
  // Whether read() takes a file of which only the beginning is there.
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

// Whether the file is there as a whole, or is of a price format that reads the rest itself.
bool is_enough(const TraceFile& file);

// The format that recognises a text; null when none does.
const PriceFormat* price_format_of(std::string_view text);

// As many parts as there are cores, fewer where the file is small.
std::size_t usual_parts(const TraceFile& file);

// A history, and what is odd about the file: two prices of a pool at one instant, two products of a
// pool. Each says file, line, what was found and which price counts.
struct PriceReading {
  PriceHistory history;
  std::vector<std::string> warnings;
};

// A file's history by this format, sorted. Throws TraceError, also when there is no point in it.
PriceReading parse_as(const PriceFormat& format, const TraceFile& file, std::size_t parts);
// By the format that recognises it.
PriceHistory parse_price_history(const TraceFile& file, std::size_t parts);
inline PriceHistory parse_price_history(const TraceFile& file) {
  return parse_price_history(file, usual_parts(file));
}

// Reads a trace in any of these formats, plain, gzip or zstd. docs/traces.md lists them. Throws
// TraceError.
PriceReading read_prices(const std::filesystem::path& file);
inline PriceHistory read_price_history(const std::filesystem::path& file) {
  return read_prices(file).history;
}

// AWS's describe-spot-price-history JSON, newest first as AWS does.
std::string to_aws_json(const PriceHistory& history);
// Writes it, whole or not at all: beside the file first, then renamed. Throws TraceError.
void write_price_history(const PriceHistory& history, const std::filesystem::path& file);

}  // namespace sim::market
