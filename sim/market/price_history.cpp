#include "sim/market/price_history.h"

#include <algorithm>
#include <array>

#include "sim/market/csv.h"
#include "sim/market/in_parallel.h"
#include "sim/market/price_formats.h"
#include "sim/market/trace_fields.h"

namespace sim::market {
namespace {

constexpr std::array kFormats{&kAwsJson,    &kCsvMarkets, &kCsvTimestamps,
                              &kCsvEpochMs, &kPriceTicks, &kPriceTicksByPool};

// Sorts by time and keeps the last of those at one instant.
void put_in_order(std::vector<PricePoint>& points) {
  const auto not_after = [](const PricePoint& a, const PricePoint& b) { return a.at >= b.at; };
  if (std::adjacent_find(points.begin(), points.end(), not_after) == points.end()) return;
  std::stable_sort(points.begin(), points.end(),
                   [](const PricePoint& a, const PricePoint& b) { return a.at < b.at; });
  const auto same_time = [](const PricePoint& a, const PricePoint& b) { return a.at == b.at; };
  const auto first = std::unique(points.rbegin(), points.rend(), same_time);
  points.erase(points.begin(), first.base());
}

}  // namespace

std::span<const PriceFormat* const> price_formats() { return kFormats; }

const PriceFormat* price_format_of(std::string_view text) {
  for (const PriceFormat* format : kFormats)
    if (format->recognises(text)) return format;
  return nullptr;
}

std::size_t usual_parts(const TraceFile& file) {
  constexpr std::size_t kShortest = 1 << 20;  // a thread is not worth less
  const std::uintmax_t size = std::max<std::uintmax_t>(file.text.size(), file.size);
  return std::clamp<std::size_t>(size / kShortest, 1, cores());
}

bool is_enough(const TraceFile& file) {
  if (file.size == 0) return true;
  const PriceFormat* const format = price_format_of(file.text);
  return format && format->from_beginning;
}

PriceHistory parse_as(const PriceFormat& format, const TraceFile& file, std::size_t parts) {
  PriceHistory history = format.read(file, parts);
  std::erase_if(history.pools, [](const auto& entry) { return entry.second.empty(); });
  if (history.pools.empty()) fail_file(file, "no prices", "at least one");
  for (auto& [pool, points] : history.pools) {
    put_in_order(points);
    for (const Time at : {points.front().at, points.back().at})
      if (at < kEarliestTime || at > kLatestTime) fail_file(file, iso_seconds(at), kExpectedTimes);
  }
  return history;
}

PriceHistory parse_price_history(const TraceFile& file, std::size_t parts) {
  if (const PriceFormat* format = price_format_of(file.text)) return parse_as(*format, file, parts);
  std::string expected = "a price history that begins like one of:";
  for (const PriceFormat* format : kFormats) (expected += "\n  ") += format->looks_like;
  fail_at_line(file, 1, "format", first_line(file.text), expected);
}

PriceHistory read_price_history(const std::filesystem::path& file) {
  TraceFile beginning = open_trace_file(file);
  if (!is_enough(beginning)) beginning = load_trace_file(file);
  return parse_price_history(beginning);
}

void merge(PriceHistory& history, const PriceHistory& more) {
  for (const auto& [pool, points] : more.pools) {
    auto& all = history.pools[pool];
    all.insert(all.end(), points.begin(), points.end());
    put_in_order(all);
  }
}

const PricePoint* in_force(const std::vector<PricePoint>& points, Time t) {
  const auto later = std::upper_bound(points.begin(), points.end(), t,
                                      [](Time at, const PricePoint& p) { return at < p.at; });
  return later == points.begin() ? nullptr : &*std::prev(later);
}

PriceHistory between(const PriceHistory& history, Time from, Time to) {
  PriceHistory cut;
  for (const auto& [pool, points] : history.pools) {
    const auto later = [](Time at, const PricePoint& p) { return at < p.at; };
    auto first = std::upper_bound(points.begin(), points.end(), from, later);
    if (first != points.begin()) --first;
    const auto last = std::upper_bound(first, points.end(), to, later);
    if (first != last) cut.pools[pool] = {first, last};
  }
  return cut;
}

}  // namespace sim::market
