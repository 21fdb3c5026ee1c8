// Prices at ticks, in the format of SkyNomad's artifact for AWS's V100 pools (2023). A file
// {"prices": […], "gap_seconds": 195} has one pool, and the file's name names the pool. A file
// {"us-east-1a_v100_1": […], …} has several pools, with the ticks of the availability files in the
// same folder. Neither format has the time of the first tick.
#include <nlohmann/json.hpp>

#include "sim/traces/availability_formats.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/trace_fields.h"

namespace sim::traces {
namespace {

using nlohmann::json;

constexpr std::string_view kOnePool = R"({"prices": [0.918, …], "gap_seconds": 195})";
constexpr std::string_view kByPool = R"({"us-east-1a_v100_1": [0.918, …], …} (ticks of 195 s))";
constexpr Duration kTickByPool = 195s;
constexpr std::int64_t kLongestPriceGap = 366 * 86'400;
constexpr std::size_t kMostPriceTicks = 10'000'000;

json parse_ticks(const TraceFile& file, std::string_view expected) {
  if (file.text.size() > kLargestJson)
    fail_file(file, std::to_string(file.text.size() >> 20) + " MiB", kExpectedJsonSize);
  json document;
  try {
    document = json::parse(file.text);
  } catch (const json::parse_error& error) {
    fail_at_byte(file, error.byte, "JSON such as " + std::string(expected));
  } catch (const json::exception& error) {  // a number beyond any double
    fail_file(file, error.what(), "JSON such as " + std::string(expected));
  }
  if (!document.is_object()) fail_file(file, "no object", expected);
  return document;
}

std::vector<market::PricePoint> points_of(const TraceFile& file, const std::string& name,
                                          const json& prices, Duration tick) {
  if (!prices.is_array() || prices.size() > kMostPriceTicks)
    fail_file(file, "no such array \"" + name + "\"", "an array of at most 10000000 prices");
  if (static_cast<std::int64_t>(prices.size()) > (kLatestTime - kEarliestTime) / tick)
    fail_file(file, std::to_string(prices.size()) + " ticks", kExpectedTimes);
  std::vector<market::PricePoint> points;
  for (std::size_t i = 0; i < prices.size(); ++i) {
    const auto price =
        prices[i].is_number() ? price_of_number(prices[i].get<double>()) : std::nullopt;
    if (!price) fail_at_entry(file, name, i, "", prices[i].dump(), kExpectedPrice);
    points.push_back({kEarliestTime + static_cast<std::int64_t>(i) * tick, *price});
  }
  return points;
}

market::PriceHistory read_one_pool(const TraceFile& file, std::size_t, std::vector<std::string>&) {
  const json document = parse_ticks(file, kOnePool);
  const auto gap = document.find("gap_seconds");
  if (gap == document.end() || !gap->is_number_integer() || *gap < 1 || *gap > kLongestPriceGap)
    fail_file(file, "no such gap_seconds", "a whole number of seconds from 1");
  const Duration tick = std::chrono::seconds(gap->get<std::int64_t>());
  return {{{pool_of_trace_name(file.path),
            points_of(file, "prices", document.value("prices", json()), tick)}}};
}

market::PriceHistory read_by_pool(const TraceFile& file, std::size_t, std::vector<std::string>&) {
  const json document = parse_ticks(file, kByPool);
  market::PriceHistory history;
  for (const auto& [name, prices] : document.items()) {
    const market::Pool pool = pool_of_trace_name(name);
    if (pool.availability_zone.empty())
      fail_file(file, name, "the name of a pool such as us-east-1a_v100_1");
    history.pools[pool] = points_of(file, name, prices, kTickByPool);
  }
  return history;
}

// A document's first key, and the text after its colon.
struct Beginning {
  std::string_view key, rest;
};
Beginning beginning_of(std::string_view text) {
  const auto skip = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  };
  const auto take = [&](char c) {
    skip();
    const bool there = text.starts_with(c);
    text.remove_prefix(there ? 1 : 0);
    return there;
  };
  if (!take('{') || !take('"')) return {};
  const std::string_view key = text.substr(0, text.find('"'));
  text.remove_prefix(std::min(key.size() + 1, text.size()));
  if (!take(':')) return {};
  skip();
  return {key, text};
}

}  // namespace

const PriceFormat kPriceTicks{
    "price-ticks-json", kOnePool,
    [](std::string_view text) { return beginning_of(text).key == "prices"; }, read_one_pool};

const PriceFormat kPriceTicksByPool{
    "price-ticks-by-pool-json", kByPool,
    [](std::string_view text) {
      const auto [key, rest] = beginning_of(text);
      return rest.starts_with('[') && key.size() < 100 &&
             !pool_of_trace_name(std::string(key)).availability_zone.empty();
    },
    read_by_pool};

}  // namespace sim::traces
