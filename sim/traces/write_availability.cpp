// SkyPilot's capacity JSON, which the project reads back (availability_json.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/traces/availability.h"
#include "sim/traces/trace_file.h"

namespace sim::market {
namespace {

constexpr std::int64_t kMostTicksWritten = 10'000'000;  // as many as the reader takes

std::string counts(const CapacitySeries& series, Time to, Duration tick) {
  std::string text;
  for (const std::int64_t n : sample(series, series.steps.front().at, to, tick))
    text += fmt::format("{}{}", text.empty() ? "" : ", ", n);
  return text;
}

std::string prices(const CapacitySeries& series, Time to, Duration tick) {
  std::string text;
  auto next = series.prices.begin();
  Usd price = next->price;
  for (Time t = series.steps.front().at; t < to; t += tick) {
    for (; next != series.prices.end() && next->at <= t; ++next) price = next->price;
    text += (text.empty() ? "" : ", ") + format_usd(price);
  }
  return text;
}

std::string start_time(Time start) {
  if (start == Time{}) return "";  // what a file that names none begins at
  const bool whole = start.time_since_epoch() % 1s == Duration::zero();
  return fmt::format(R"(, "start_time": "{}")",
                     whole ? iso_seconds(start) : iso_nanoseconds(start));
}

}  // namespace

Duration common_tick(const CapacitySeries& series) {
  const Time begin = series.steps.front().at;
  std::int64_t tick = (series.end - begin).count();
  for (const CapacityStep& step : series.steps) tick = std::gcd(tick, (step.at - begin).count());
  for (const PricePoint& point : series.prices) tick = std::gcd(tick, (point.at - begin).count());
  return tick % Duration(1s).count() == 0 ? Duration(tick) : Duration(1s);
}

std::string market_name(const Pool& pool) {
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

}  // namespace sim::market
