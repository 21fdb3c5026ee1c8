// AWS's price history as a table, separated by commas or tabs. A header names AWS's columns in any
// order: AvailabilityZone (or AvailabilityZoneId), InstanceType, SpotPrice, Timestamp and, perhaps,
// ProductDescription. The archive of E. Pauley (https://doi.org/10.5281/zenodo.14198917) has no
// header: zone ID, type, product, price and time, separated by tabs.
#include <algorithm>
#include <set>
#include <string>

#include "sim/traces/csv.h"
#include "sim/traces/market_rows.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/price_products.h"
#include "sim/traces/trace_fields.h"

namespace sim::traces {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// The column of each field.
struct Columns {
  std::size_t zone = kNone, type = kNone, product = kNone, price = kNone, time = kNone;
  bool enough() const { return zone != kNone && type != kNone && price != kNone && time != kNone; }
};

constexpr Columns kArchived{.zone = 0, .type = 1, .product = 2, .price = 3, .time = 4};
constexpr LineLayout kArchivedLayout{
    .columns = 5,
    .names = "zone or zone ID, instance type, product, price, time",
    .separator = '\t',
    .header = false};

std::string_view unquoted(std::string_view field) {
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
    field = field.substr(1, field.size() - 2);
  return field;
}

Columns columns_of(std::string_view header, char separator) {
  std::vector<std::string_view> names;
  split(header, names, separator);
  Columns columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = unquoted(names[i]);
    if (name == "AvailabilityZone" || (name == "AvailabilityZoneId" && columns.zone == kNone))
      columns.zone = i;
    if (name == "InstanceType") columns.type = i;
    if (name == "ProductDescription") columns.product = i;
    if (name == "SpotPrice") columns.price = i;
    if (name == "Timestamp") columns.time = i;
  }
  return columns;
}

char separator_of(std::string_view header) { return header.find('\t') == header.npos ? ',' : '\t'; }

// The prices of a part of the file.
struct TablePart {
  Markets classic, vpc;
  std::set<std::string> left_out;
  std::string name;

  void add(const TraceFile& file, std::size_t line, std::string_view zone, std::string_view type,
           std::string_view product, market::PricePoint point) {
    const bool is_vpc = product == kLinuxVpc, counts = is_vpc || product == kLinux;
    Markets& markets = is_vpc ? vpc : classic;
    ((name = zone) += '\t') += type;
    if (!counts || !markets.is_at(name)) {
      const auto known = zone_named(zone);
      if (!known) fail_at_line(file, line, "AvailabilityZone", zone, kExpectedZone);
      if (!market::is_instance_type(type))
        fail_at_line(file, line, "InstanceType", type, kExpectedType);
      if (counts) markets.go_to(name, *known, type);
    }
    if (counts)
      markets.add(point);
    else
      left_out.emplace(product);
  }
};

market::PriceHistory read_rows(const TraceFile& file, std::size_t parts, const LineLayout& layout,
                               const Columns& columns, std::vector<std::string>& warnings) {
  const auto add = [&](TablePart& part, std::size_t line, auto fields) {
    const std::string_view price_text = unquoted(fields[columns.price]);
    const auto price = parse_price(price_text);
    if (!price) fail_at_line(file, line, "SpotPrice", price_text, kExpectedPrice);
    const std::string_view time_text = unquoted(fields[columns.time]);
    const auto at = parse_time(time_text);
    if (!at) fail_at_line(file, line, "Timestamp", time_text, kExpectedTime);
    const bool says = columns.product != kNone;
    const std::string_view product = says ? unquoted(fields[columns.product]) : kLinux;
    if (product.empty()) fail_at_line(file, line, "ProductDescription", product, kExpectedProduct);
    part.add(file, line, unquoted(fields[columns.zone]), unquoted(fields[columns.type]), product,
             {*at, *price});
  };
  ProductPrices prices;
  for (TablePart& part : read_csv_parts<TablePart>(file, parts, layout, add)) {
    part.classic.give_to(prices.classic);
    part.vpc.give_to(prices.vpc);
    prices.left_out.merge(part.left_out);
  }
  return linux_prices(std::move(prices), file, warnings);
}

market::PriceHistory read_table(const TraceFile& file, std::size_t parts,
                                std::vector<std::string>& warnings) {
  const std::string_view header = first_line(file.text);
  const char separator = separator_of(header);
  return read_rows(file, parts, layout_of_header(header, separator), columns_of(header, separator),
                   warnings);
}

market::PriceHistory read_archived(const TraceFile& file, std::size_t parts,
                                   std::vector<std::string>& warnings) {
  return read_rows(file, parts, kArchivedLayout, kArchived, warnings);
}

bool has_header(std::string_view text) {
  const std::string_view header = first_line(text);
  return columns_of(header, separator_of(header)).enough();
}

bool is_archived(std::string_view text) {
  std::vector<std::string_view> fields;
  split(first_line(text), fields, '\t');
  return fields.size() == kArchivedLayout.columns && zone_named(fields[kArchived.zone]) &&
         market::is_instance_type(fields[kArchived.type]);
}

}  // namespace

const PriceFormat kAwsTable{
    "aws-table",
    "AvailabilityZone,InstanceType,ProductDescription,SpotPrice,Timestamp, in any order, or with "
    "tabs",
    has_header,
    read_table,
    Records::kLinesBelowHeader,
    true};

const PriceFormat kZoneIdTsv{
    "zone-id-tsv",
    "euc1-az2, c5.large, Linux/UNIX, 0.041200, 2023-02-28T23:59:57+00:00, with tabs",
    is_archived,
    read_archived,
    Records::kLines,
    true};

}  // namespace sim::traces
