// One pool in a file, with times in ISO 8601: timestamp,price_usd_h; the file's name says the pool.
#include "sim/traces/csv.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/trace_fields.h"

namespace sim::market {
namespace {

constexpr std::string_view kTimestampsHeader = "timestamp,price_usd_h";

PriceHistory read_timestamps(const TraceFile& file, std::size_t parts) {
  const std::string name = file.path.filename().string();
  const auto pool = pool_of_file_name(name);
  if (!pool) fail_file(file, name, kExpectedFileName);
  using Points = std::vector<PricePoint>;
  const auto read_point = [&](Points& points, std::size_t line, auto fields) {
    const auto at = parse_time(fields[0]);
    if (!at) fail_at_line(file, line, "timestamp", fields[0], kExpectedTime);
    const auto price = parse_price(fields[1]);
    if (!price) fail_at_line(file, line, "price_usd_h", fields[1], kExpectedPrice);
    points.push_back({*at, *price});
  };
  PriceHistory history;
  Points& all = history.pools[*pool];
  for (const Points& part : read_csv_parts<Points>(file, parts, read_point))
    all.insert(all.end(), part.begin(), part.end());
  return history;
}

}  // namespace

const PriceFormat kCsvTimestamps{
    "csv-timestamps", kTimestampsHeader,
    [](std::string_view text) { return first_line(text) == kTimestampsHeader; }, read_timestamps,
    true};

}  // namespace sim::market
