// AWS's price history with one entry per line: {"AvailabilityZone", "InstanceType",
// "ProductDescription", "SpotPrice", "Timestamp"}, the output of `jq -c '.SpotPriceHistory[]'`.
#include <simdjson.h>

#include <string>
#include <utility>

#include "sim/traces/aws_entries.h"
#include "sim/traces/csv.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/price_products.h"

namespace sim::traces {
namespace {

market::PriceHistory read_lines(const TraceFile& file, std::size_t,
                                std::vector<std::string>& warnings) {
  EntryReader reader;
  Listing listing;
  std::string entry;
  std::size_t number = 0;
  for (std::string_view rest = file.text; !rest.empty();) {
    const std::string_view line = take_line(rest);
    ++number;
    if (line.find_first_not_of(" \t") == line.npos) continue;
    entry.reserve(line.size() + simdjson::SIMDJSON_PADDING);
    entry = line;
    try {
      reader.read_entry(entry, listing);
    } catch (const simdjson::simdjson_error&) {
      fail_at_line(file, number, "JSON", line, "an object of AWS's price history in each line");
    }
    if (const auto& wrong = listing.wrong)
      fail_at_line(file, number, wrong->field, wrong->found, wrong->expected);
  }
  ProductPrices prices{.classic = {}, .vpc = {}, .left_out = std::move(listing.left_out)};
  for (const EntryRow& row : listing.rows) {
    const EntryPool& pool = reader.pools()[row.pool];
    (pool.vpc ? prices.vpc : prices.classic).pools[pool.pool].push_back(row.point);
  }
  return linux_prices(std::move(prices), file, warnings);
}

bool is_entry_a_line(std::string_view text) {
  const std::string_view line = first_line(text);
  return line.starts_with('{') && line.ends_with('}') && line.find("\"SpotPrice\"") != line.npos &&
         line.find(kPriceArray) == line.npos;
}

}  // namespace

const PriceFormat kAwsJsonLines{
    .name = "aws-json-lines",
    .looks_like = R"({"AvailabilityZone": …, "SpotPrice": …}, one a line)",
    .recognises = is_entry_a_line,
    .read = read_lines,
    .records = Records::kLines};

}  // namespace sim::traces
