// One pool in a file, with times in milliseconds since 1970: epoch_ms,price_usd_h; the file's name
// says the pool.
#include "sim/traces/csv.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/trace_fields.h"

namespace sim::market {
namespace {

constexpr std::string_view kEpochMsHeader = "epoch_ms,price_usd_h";

PriceHistory read_epoch_ms(const TraceFile& file, std::size_t parts) {
  const std::string name = file.path.filename().string();
  const auto pool = pool_of_file_name(name);
  if (!pool) fail_file(file, name, kExpectedFileName);
  using Points = std::vector<PricePoint>;
  const auto read_point = [&](Points& points, std::size_t line, auto fields) {
    const auto at = parse_epoch_ms(fields[0]);
    if (!at) fail_at_line(file, line, "epoch_ms", fields[0], kExpectedEpochMs);
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

const PriceFormat kCsvEpochMs{
    "csv-epoch-ms", kEpochMsHeader,
    [](std::string_view text) { return first_line(text) == kEpochMsHeader; }, read_epoch_ms, true};

}  // namespace sim::market
