// AWS's JSON, one entry a line, so that a change of a trace is a change of lines.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/market/price_history.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/trace_file.h"

namespace sim::market {
namespace {

// AWS prints six decimals; a price that needs more has as many as it needs.
std::string six_decimals(Usd price) {
  std::string text = format_usd(price);
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

std::string to_aws_json(const PriceHistory& history) {
  struct Line {
    const Pool* pool;
    PricePoint point;
  };
  std::vector<Line> lines;
  for (const auto& [pool, points] : history.pools)
    for (const PricePoint& point : points) lines.push_back({&pool, point});
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

void write_price_history(const PriceHistory& history, const std::filesystem::path& file) {
  write_trace_files(std::array{TraceFile{file, to_aws_json(history)}});
}

}  // namespace sim::market
