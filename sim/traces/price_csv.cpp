// Prices as CSV. Many pools in one file: az,instance_type,timestamp,price_usd_h. One pool, which
// the file's name gives: timestamp,price_usd_h with ISO 8601 times, or epoch_ms,price_usd_h with
// milliseconds since 1970.
#include "sim/traces/csv.h"
#include "sim/traces/market_rows.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/trace_fields.h"

namespace sim::traces {
namespace {

constexpr std::string_view kMarketsHeader = "az,instance_type,timestamp,price_usd_h";
constexpr std::string_view kTimestampsHeader = "timestamp,price_usd_h";
constexpr std::string_view kEpochMsHeader = "epoch_ms,price_usd_h";

market::PriceHistory read_markets(const TraceFile& file, std::size_t parts,
                                  std::vector<std::string>&) {
  const auto add = [&](Markets& part, std::size_t line, std::span<const std::string_view> fields) {
    const std::string_view zone = fields[0], type = fields[1];
    const std::string_view name(zone.data(), zone.size() + 1 + type.size());
    if (!part.is_at(name)) {
      const auto known = zone_named(zone);
      if (!known) fail_at_line(file, line, "az", zone, kExpectedZone);
      if (!market::is_instance_type(type))
        fail_at_line(file, line, "instance_type", type, kExpectedType);
      part.go_to(name, *known, type);
    }
    const auto at = parse_time(fields[2]);
    if (!at) fail_at_line(file, line, "timestamp", fields[2], kExpectedTime);
    const auto price = parse_price(fields[3]);
    if (!price) fail_at_line(file, line, "price_usd_h", fields[3], kExpectedPrice);
    part.add({*at, *price});
  };
  market::PriceHistory history;
  for (Markets& part : read_csv_parts<Markets>(file, parts, add)) part.give_to(history);
  return history;
}

// The form of the times in a file of one pool.
struct Times {
  std::string_view column;
  std::optional<Time> (*parse)(std::string_view text);
  std::string_view expected;
};
constexpr Times kTimestamps{"timestamp", parse_time, kExpectedTime};
constexpr Times kEpochMs{"epoch_ms", parse_epoch_ms, kExpectedEpochMs};

template <const Times& times>
market::PriceHistory read_one_market(const TraceFile& file, std::size_t parts,
                                     std::vector<std::string>&) {
  const std::string name = file.path.filename().string();
  const auto pool = pool_of_file_name(name);
  if (!pool) fail_file(file, name, kExpectedFileName);
  using Points = std::vector<market::PricePoint>;
  const auto read_point = [&](Points& points, std::size_t line, auto fields) {
    const auto at = times.parse(fields[0]);
    if (!at) fail_at_line(file, line, times.column, fields[0], times.expected);
    const auto price = parse_price(fields[1]);
    if (!price) fail_at_line(file, line, "price_usd_h", fields[1], kExpectedPrice);
    points.push_back({*at, *price});
  };
  market::PriceHistory history;
  Points& all = history.pools[*pool];
  for (const Points& part : read_csv_parts<Points>(file, parts, read_point))
    all.insert(all.end(), part.begin(), part.end());
  return history;
}

template <const std::string_view& header>
bool begins_with(std::string_view text) {
  return first_line(text) == header;
}

}  // namespace

const PriceFormat kCsvMarkets{"csv-markets",
                              kMarketsHeader,
                              begins_with<kMarketsHeader>,
                              read_markets,
                              Records::kLinesBelowHeader,
                              true};
const PriceFormat kCsvTimestamps{"csv-timestamps",
                                 kTimestampsHeader,
                                 begins_with<kTimestampsHeader>,
                                 read_one_market<kTimestamps>,
                                 Records::kLinesBelowHeader,
                                 true};
const PriceFormat kCsvEpochMs{"csv-epoch-ms",
                              kEpochMsHeader,
                              begins_with<kEpochMsHeader>,
                              read_one_market<kEpochMs>,
                              Records::kLinesBelowHeader,
                              true};

}  // namespace sim::traces
