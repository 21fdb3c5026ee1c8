// Strict readers of the fields that all trace formats share; they return the value or nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/kernel/time.h"
#include "sim/market/pool.h"
#include "sim/market/usd.h"

namespace sim::traces {

// The expected form, for messages when a reader below returns nothing.
inline constexpr std::string_view kExpectedZone = "an Availability Zone such as us-west-2b";
inline constexpr std::string_view kExpectedType = "an instance type such as p3.2xlarge";
inline constexpr std::string_view kExpectedPrice = "US dollars an hour above 0, such as 0.9180";
inline constexpr std::string_view kExpectedTime = "a time such as 2019-11-05T10:00:00Z";
inline constexpr std::string_view kExpectedTimes = "times from 1970 to 2150";
inline constexpr std::string_view kExpectedEpochMs =
    "milliseconds since 1970 such as 1260931109000";

// The earliest and latest time of a trace. Differences and sums of its times stay within 64 bits.
inline constexpr Time kEarliestTime{};
inline constexpr Time kLatestTime{std::chrono::hours(24 * 365 * 180)};

// A parsed document needs ten times the memory of its text.
inline constexpr std::size_t kLargestJson = std::size_t{512} << 20;
inline constexpr std::string_view kExpectedJsonSize = "at most 512 MiB of JSON";

std::optional<market::Usd> parse_price(std::string_view text);
// A zone's name; also accepts a zone ID (sim/market/zones.h).
std::optional<std::string> zone_named(std::string_view name_or_id);
// Rounds a number of JSON, which is a double, to the nearest 10^-9 dollars.
std::optional<market::Usd> price_of_number(double usd);
std::optional<Time> parse_epoch_ms(std::string_view text);

// Reads the pool from the name of a file with one pool's prices. The name has, in this order and
// separated by "-" or ".": the zone (or the region, which means its zone "a"), "linux", and the
// type. The extension is ".csv" or ".csv.gz".
std::optional<market::Pool> pool_of_file_name(std::string_view file_name);
inline constexpr std::string_view kExpectedFileName =
    "a name such as us-east-1a-Linux-c3.xlarge.csv or us-west-1.linux.m1.small.csv.gz, which says "
    "the pool";

}  // namespace sim::traces
