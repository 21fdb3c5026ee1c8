// The formats that price histories come in: one row each in the table, one reader a file.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "sim/market/price_history.h"
#include "sim/traces/trace_file.h"

namespace sim::market {

struct PriceFormat {
  std::string_view name;
  std::string_view looks_like;  // for messages
  // By content; at most one format recognises a text.
  bool (*recognises)(std::string_view text);
  // Points in the order of the file; where two stand at one instant, the later one counts. The
  // file is read in so many parts at once, which shows in the time it takes alone. Throws
  // TraceError.
  PriceHistory (*read)(const TraceFile& file, std::size_t parts);
  // Whether read() takes a file of which only the beginning is there.
  bool from_beginning = false;
};

extern const PriceFormat kAwsJson;
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

// A file's history by this format, sorted. Throws TraceError, also when there is no point in it.
PriceHistory parse_as(const PriceFormat& format, const TraceFile& file, std::size_t parts);
// By the format that recognises it.
PriceHistory parse_price_history(const TraceFile& file, std::size_t parts);
inline PriceHistory parse_price_history(const TraceFile& file) {
  return parse_price_history(file, usual_parts(file));
}

// Reads a trace in any of these formats, plain or gzip, told apart by how they begin:
// AWS's describe-spot-price-history JSON (Linux/UNIX prices; Amazon VPC's where both are there);
// CSV with the header az,instance_type,timestamp,price_usd_h; CSV timestamp,price_usd_h and
// epoch_ms,price_usd_h of one pool, whose zone and type come from the file's name
// (us-east-1a-Linux-c3.xlarge.csv.gz, us-west-1.linux.m1.small.csv.gz; a name with a region only
// means that region's zone "a"); SkyNomad's JSON of prices at ticks, from 1970 on as it names no
// start. Throws TraceError.
PriceHistory read_price_history(const std::filesystem::path& file);

// AWS's describe-spot-price-history JSON, newest first as AWS does.
std::string to_aws_json(const PriceHistory& history);
// Writes it, whole or not at all: beside the file first, then renamed. Throws TraceError.
void write_price_history(const PriceHistory& history, const std::filesystem::path& file);

}  // namespace sim::market
