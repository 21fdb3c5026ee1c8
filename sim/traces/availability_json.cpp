// {"metadata": {"gap_seconds": N}, "data": [k, …], "prices": […]}, one pool per file. SkyPilot's
// spot-traces count available instances. SkyNomad's files, which have "price_info" in their
// metadata, write 1 for an unavailable pool.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "sim/traces/availability.h"
#include "sim/traces/availability_formats.h"
#include "sim/traces/trace_fields.h"
#include "sim/traces/trace_file.h"

namespace sim::traces {
namespace {

using nlohmann::json;

constexpr std::int64_t kLongestGap = 366 * 86'400;
constexpr std::size_t kMostTicks = 10'000'000;
constexpr const char* kExpectedForm =
    "JSON such as {\"metadata\": {\"gap_seconds\": 600}, \"data\": [1]}";

json parse(const TraceFile& file) {
  if (file.text.size() > kLargestJson)
    fail_file(file, std::to_string(file.text.size() >> 20) + " MiB", kExpectedJsonSize);
  try {
    return json::parse(file.text);
  } catch (const json::parse_error& error) {
    fail_at_byte(file, error.byte, kExpectedForm);
  } catch (const json::exception& error) {  // a number beyond any double
    fail_file(file, error.what(), kExpectedForm);
  }
}

std::int64_t gap_of(const TraceFile& file, const json& document) {
  const auto metadata = document.find("metadata");
  if (metadata != document.end() && metadata->is_object()) {
    const auto gap = metadata->find("gap_seconds");
    if (gap != metadata->end() && gap->is_number_integer() && *gap >= 1 && *gap <= kLongestGap)
      return gap->get<std::int64_t>();
    if (gap != metadata->end())
      fail_file(file, "metadata.gap_seconds: " + gap->dump(), "a whole number of seconds from 1");
  }
  fail_file(file, "no such metadata.gap_seconds", "a whole number of seconds from 1");
}

Time start_of(const TraceFile& file, const json& document) {
  const json& metadata = document.at("metadata");
  const auto start = metadata.find("start_time");
  if (start == metadata.end()) return Time{};
  const auto time =
      start->is_string() ? parse_time(start->get_ref<const std::string&>()) : std::nullopt;
  if (!time || *time < kEarliestTime || *time > kLatestTime)
    fail_file(file, start->dump(), kExpectedTime);
  return *time;
}

std::int64_t instances_at(const TraceFile& file, const json& data, std::size_t i,
                          Polarity polarity) {
  const std::int64_t most = polarity == Polarity::kOneIsUnavailable ? 1 : 1'000'000;
  if (!data[i].is_number_integer() || data[i] < 0 || data[i] > most) {
    fail_at_entry(file, "data", i, "", data[i].dump(),
                  most == 1 ? "0 (available) or 1 (unavailable)" : kExpectedCount);
  }
  const auto value = data[i].get<std::int64_t>();
  return polarity == Polarity::kOneIsUnavailable ? 1 - value : value;
}

AvailabilityTrace read_as(const TraceFile& file, Polarity polarity) {
  const json document = parse(file);
  if (!document.is_object()) fail_file(file, "no object", "{\"metadata\": …, \"data\": […]}");
  const Duration gap = std::chrono::seconds(gap_of(file, document));
  const Time start = start_of(file, document);
  const auto data = document.find("data");
  if (data == document.end() || !data->is_array() || data->size() > kMostTicks)
    fail_file(file, "no such array \"data\"", "an array of at most 10000000 counts");
  if (static_cast<std::int64_t>(data->size()) > (kLatestTime - start) / gap)
    fail_file(file, std::to_string(data->size()) + " ticks", kExpectedTimes);
  CapacitySeries series;
  for (std::size_t i = 0; i < data->size(); ++i) {
    series.steps.push_back(
        {start + static_cast<std::int64_t>(i) * gap, instances_at(file, *data, i, polarity)});
  }
  series.end = start + static_cast<std::int64_t>(data->size()) * gap;
  const auto prices = document.find("prices");
  if (prices != document.end() && (!prices->is_array() || prices->size() > data->size()))
    fail_file(file, "no such array \"prices\"", "an array of prices, no more than of counts");
  for (std::size_t i = 0; prices != document.end() && i < prices->size(); ++i) {
    const json& value = (*prices)[i];
    const auto price = value.is_number() ? price_of_number(value.get<double>()) : std::nullopt;
    if (!price) fail_at_entry(file, "prices", i, "", value.dump(), kExpectedPrice);
    series.prices.push_back({start + static_cast<std::int64_t>(i) * gap, *price});
  }
  return {{{pool_of_trace_name(file.path), std::move(series)}}};
}

// The metadata come first in every such file.
bool begins_with_metadata(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n{");
  return text.find('{') < start && start != text.npos &&
         text.substr(start).starts_with("\"metadata\"");
}
bool tells_prices(std::string_view text) {
  return text.substr(0, text.find("\"data\"")).find("\"price_info\"") != text.npos;
}

}  // namespace

const AvailabilityFormat kCapacityJson{
    "capacity-json",
    R"({"metadata": {"gap_seconds": 600}, "data": [1, 0, 4, …]}: instances available)",
    Polarity::kInstancesAvailable,
    [](std::string_view text) { return begins_with_metadata(text) && !tells_prices(text); },
    [](const TraceFile& file) { return read_as(file, Polarity::kInstancesAvailable); }};

const AvailabilityFormat kPreemptedJson{
    "preempted-json",
    R"({"metadata": {"gap_seconds": 600, "price_info": {…}}, "data": [1, 0, …]}: 1 is unavailable)",
    Polarity::kOneIsUnavailable,
    [](std::string_view text) { return begins_with_metadata(text) && tells_prices(text); },
    [](const TraceFile& file) { return read_as(file, Polarity::kOneIsUnavailable); }};

// Writes SkyPilot's capacity JSON, which the reader above reads back.

namespace {

constexpr std::int64_t kMostTicksWritten = 10'000'000;  // the reader's limit

std::string counts(const CapacitySeries& series, Time to, Duration tick) {
  std::string text;
  for (const std::int64_t n : sample(series, series.steps.front().at, to, tick))
    text += fmt::format("{}{}", text.empty() ? "" : ", ", n);
  return text;
}

std::string prices(const CapacitySeries& series, Time to, Duration tick) {
  std::string text;
  auto next = series.prices.begin();
  market::Usd price = next->price;
  for (Time t = series.steps.front().at; t < to; t += tick) {
    for (; next != series.prices.end() && next->at <= t; ++next) price = next->price;
    text += (text.empty() ? "" : ", ") + market::format_usd(price);
  }
  return text;
}

std::string start_time(Time start) {
  if (start == Time{}) return "";  // the start of a file that names none
  const bool whole = start.time_since_epoch() % 1s == Duration::zero();
  return fmt::format(R"(, "start_time": "{}")",
                     whole ? iso_seconds(start) : iso_nanoseconds(start));
}

}  // namespace

Duration common_tick(const CapacitySeries& series) {
  const Time begin = series.steps.front().at;
  std::int64_t tick = (series.end - begin).count();
  for (const CapacityStep& step : series.steps) tick = std::gcd(tick, (step.at - begin).count());
  for (const market::PricePoint& point : series.prices)
    tick = std::gcd(tick, (point.at - begin).count());
  return tick % Duration(1s).count() == 0 ? Duration(tick) : Duration(1s);
}

std::string market_name(const market::Pool& pool) {
  return pool.availability_zone.empty() ? pool.instance_type
                                        : pool.availability_zone + "_" + pool.instance_type;
}

std::string to_capacity_json(const CapacitySeries& series, Duration tick) {
  const Time begin = series.steps.front().at;
  const std::int64_t ticks = (series.end - begin + tick - 1ns) / tick;
  if (tick < 1s || tick % 1s != Duration::zero() || ticks > kMostTicksWritten) {
    throw TraceError(fmt::format("{} ticks of {}, expected whole seconds, and at most {}", ticks,
                                 format_duration(tick), kMostTicksWritten));
  }
  std::string text = fmt::format(R"({{"metadata": {{"gap_seconds": {}{}}}, "data": [{}])",
                                 tick / 1s, start_time(begin), counts(series, series.end, tick));
  if (!series.prices.empty())
    text += fmt::format(R"(, "prices": [{}])", prices(series, series.end, tick));
  return text + "}\n";
}

}  // namespace sim::traces
