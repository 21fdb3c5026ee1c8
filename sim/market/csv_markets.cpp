// Many pools in one file: az,instance_type,timestamp,price_usd_h.
#include "sim/market/csv.h"
#include "sim/market/price_formats.h"
#include "sim/market/trace_fields.h"

namespace sim::market {
namespace {

constexpr std::string_view kHeader = "az,instance_type,timestamp,price_usd_h";

PriceHistory read(const TraceFile& file) {
  PriceHistory history;
  // Most files have a pool's lines together: only where the pool changes is it looked up.
  std::string_view zone, type;
  std::vector<PricePoint>* points = nullptr;
  read_csv(file, [&](std::size_t line, std::span<const std::string_view> fields) {
    if (!points || fields[0] != zone || fields[1] != type) {
      zone = fields[0], type = fields[1];
      if (!is_zone(zone)) fail_at_line(file, line, "az", zone, kExpectedZone);
      if (!is_instance_type(type)) fail_at_line(file, line, "instance_type", type, kExpectedType);
      points = &history.pools[{std::string(type), std::string(zone)}];
    }
    const auto at = parse_time(fields[2]);
    if (!at) fail_at_line(file, line, "timestamp", fields[2], kExpectedTime);
    const auto price = parse_price(fields[3]);
    if (!price) fail_at_line(file, line, "price_usd_h", fields[3], kExpectedPrice);
    points->push_back({*at, *price});
  });
  return history;
}

}  // namespace

const PriceFormat kCsvMarkets{"csv-markets", kHeader,
                              [](std::string_view text) { return first_line(text) == kHeader; },
                              read};

}  // namespace sim::market
