// Price traces: what a pool cost from when to when, read from the formats that price histories come
// in.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/kernel/time.h"
#include "sim/market/pool.h"
#include "sim/market/usd.h"

namespace sim::market {

// A trace file that cannot be read; what() names file, line or entry, field, what was found and
// what was expected.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct PricePoint {
  Time at;
  Usd price;  // an hour, from `at` until the next point
  bool operator==(const PricePoint&) const = default;
};

// A step function per pool. Points are sorted by time, at most one at a time.
struct PriceHistory {
  std::map<Pool, std::vector<PricePoint>> pools;
  bool operator==(const PriceHistory&) const = default;
};

// The point in force at t, by binary search; null when t is before the first.
const PricePoint* in_force(const std::vector<PricePoint>& points, Time t);

// Reads a trace in any of these formats, plain or gzip, told apart by how they begin:
// AWS's describe-spot-price-history JSON (Linux/UNIX prices; Amazon VPC's where both are there);
// CSV with the header az,instance_type,timestamp,price_usd_h; CSV timestamp,price_usd_h and
// epoch_ms,price_usd_h of one pool, whose zone and type come from the file's name
// (us-east-1a-Linux-c3.xlarge.csv.gz, us-west-1.linux.m1.small.csv.gz; a name with a region only
// means that region's zone "a"); SkyNomad's JSON of prices at ticks, from 1970 on as it names no
// start. Throws TraceError.
PriceHistory read_price_history(const std::filesystem::path& file);

// Adds the points of `more`; where both have a point at one instant, that of `more` counts.
void merge(PriceHistory& history, const PriceHistory& more);

// The points in force in [from, to]: of each pool the one in force at `from`, at its own instant,
// and those until `to`. Pools without any are left out.
PriceHistory between(const PriceHistory& history, Time from, Time to);

// AWS's describe-spot-price-history JSON, newest first as AWS does.
std::string to_aws_json(const PriceHistory& history);
// Writes it, whole or not at all: beside the file first, then renamed. Throws TraceError.
void write_price_history(const PriceHistory& history, const std::filesystem::path& file);

}  // namespace sim::market
