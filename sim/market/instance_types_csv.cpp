// Instance types as CSV: a comment head, the header and a line a type.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "sim/market/instance_types.h"
#include "sim/market/pool.h"

namespace sim::market {
namespace {

constexpr std::string_view kTypeColumns =
    "instance_type,vcpus,memory_mib,gpus,gpu,architecture,on_demand_usd_per_hour";
constexpr std::size_t kTypeFields = 7;
constexpr const char* kExpectedPrices =
    "a date and the prices of its list, such as 2025-11-30 us-east-1=0.526 us-west-2=0.526";

// Removes the text up to the separator, or all of it, from the front of `rest`.
std::string_view take_until(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

// One line, and its error messages.
struct TypeLine {
  const std::string& file;
  std::size_t number;

  [[noreturn]] void fail(std::string_view field, std::string_view found,
                         std::string_view expected) const {
    throw InstanceTypeError(
        fmt::format("{}:{}: {}: found \"{}\", expected {}", file, number, field, found, expected));
  }
  template <typename Number>
  Number number_in(std::string_view field, std::string_view text, Number low, Number high) const {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size() && value >= low && value <= high)
      return value;
    fail(field, text, fmt::format("a number from {} to {}", low, high));
  }
};

// When the date of a price list begins: "2026", "2025-06", "2025-11-30", or years, "2019-2021".
std::optional<Time> begin_of(std::string_view date) {
  constexpr std::size_t kYear = 4, kYears = 9, kMonth = 7;
  if (date.size() == kYears && date[kYear] == '-') {
    const auto first = begin_of(date.substr(0, kYear)), last = begin_of(date.substr(kYear + 1));
    return first && last && *first <= *last ? first : std::nullopt;
  }
  std::string day(date);
  if (day.size() == kYear) day += "-01";
  if (day.size() == kMonth) day += "-01";
  return parse_time(day + "T00:00:00Z");
}

// "2019-2021 us-west-2=0.90 2025-11-30 eu-west-1=0.97": a date is valid for the prices after it.
std::vector<OnDemandPrice> prices_of(const TypeLine& line, std::string_view text) {
  constexpr std::string_view kField = "on_demand_usd_per_hour";
  std::vector<OnDemandPrice> prices;
  std::string_view as_of;
  std::optional<Time> since;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view price = take_until(rest, ' ');
    if (const auto begin = begin_of(price)) {
      as_of = price;
      since = begin;
      continue;
    }
    const std::string_view region = take_until(price, '=');
    const auto per_hour = parse_usd(price);
    if (!since || !is_region(region) || !per_hour || *per_hour == Usd{})
      line.fail(kField, text, kExpectedPrices);
    const auto same = [&](const OnDemandPrice& p) {
      return p.region == region && p.since == *since;
    };
    if (std::ranges::any_of(prices, same)) line.fail(kField, region, "each region once for a date");
    prices.push_back({std::string(region), *per_hour, std::string(as_of), *since});
  }
  if (prices.empty()) line.fail(kField, text, kExpectedPrices);
  return prices;
}

InstanceType type_of(const TypeLine& line, std::string_view text) {
  const auto separators = static_cast<std::size_t>(std::ranges::count(text, ','));
  if (separators + 1 != kTypeFields)
    line.fail("line", text, fmt::format("{} fields: {}", kTypeFields, kTypeColumns));
  std::array<std::string_view, kTypeFields> fields;
  for (std::string_view& field : fields) field = take_until(text, ',');
  const auto [name, vcpus, memory, gpus, gpu, architecture, prices] = fields;

  if (!is_instance_type(name)) line.fail("instance_type", name, "a name such as p3.2xlarge");
  InstanceType type{.name = std::string(name),
                    .vcpus = line.number_in("vcpus", vcpus, 1, 100'000),
                    .memory_mib = line.number_in("memory_mib", memory, 1, 1'000'000'000),
                    .gpus = line.number_in("gpus", gpus, 0.0, 1000.0),
                    .gpu = std::string(gpu),
                    .architecture = std::string(architecture),
                    .on_demand = prices_of(line, prices)};
  if (type.gpus > 0 ? gpu.find(' ') == gpu.npos : !gpu.empty())
    line.fail("gpu", gpu, "a maker and a name such as NVIDIA V100, or nothing where gpus is 0");
  if (architecture != "x86_64" && architecture != "arm64")
    line.fail("architecture", architecture, "x86_64 or arm64");
  return type;
}

}  // namespace

InstanceTypes parse_instance_types(std::string_view csv, const std::string& file) {
  InstanceTypes types;
  bool header = false;
  for (TypeLine line{file, 1}; !csv.empty(); ++line.number) {
    std::string_view text = take_until(csv, '\n');
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.empty() || text.starts_with('#')) continue;
    if (!header) {
      if (text != kTypeColumns) line.fail("header", text, kTypeColumns);
      header = true;
      continue;
    }
    InstanceType type = type_of(line, text);
    const std::string name = type.name;
    if (!types.emplace(name, std::move(type)).second)
      line.fail("instance_type", name, "each type once");
  }
  if (!header) {
    throw InstanceTypeError(fmt::format("{}: found no header, expected {}", file, kTypeColumns));
  }
  return types;
}

}  // namespace sim::market
