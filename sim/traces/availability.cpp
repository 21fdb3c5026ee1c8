#include "sim/traces/availability.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "sim/traces/availability_formats.h"
#include "sim/traces/csv.h"
#include "sim/traces/trace_fields.h"

namespace sim::traces {
namespace {

constexpr std::array kAvailabilityFormats{
    &kCapacityJson, &kPreemptedJson, &kNodeEvents,        &kNodeEventsJson, &kNodeCounts,
    &kDatedCounts,  &kTickLog,       &kDatedAvailability, &kProbeCounts,    &kWindows};
constexpr std::int64_t kMostInstances = 1'000'000;
constexpr Duration kLongestTrace = std::chrono::hours(24 * 36'525);

// The median distance of the recorded times; one second if there is only one time.
Duration usual_tick(const std::vector<CapacityStep>& steps) {
  std::vector<Duration> gaps;
  for (std::size_t i = 1; i < steps.size(); ++i)
    if (steps[i].at > steps[i - 1].at) gaps.push_back(steps[i].at - steps[i - 1].at);
  if (gaps.empty()) return 1s;
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return std::min<Duration>(*middle, 366 * 24h);
}

template <typename Point>
void sort_by_time(std::vector<Point>& points) {
  std::stable_sort(points.begin(), points.end(),
                   [](const Point& a, const Point& b) { return a.at < b.at; });
}

// Keeps the last point of each instant, and of these only points that change the value.
template <typename Point, typename Value>
void keep_changes(std::vector<Point>& points, Value Point::*value) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool overridden = i + 1 < points.size() && points[i + 1].at == points[i].at;
    if (!overridden && (kept.empty() || kept.back().*value != points[i].*value))
      kept.push_back(points[i]);
  }
  points = std::move(kept);
}

void put_in_order(CapacitySeries& series, const TraceFile& file) {
  sort_by_time(series.steps);
  for (const Time at : {series.steps.front().at, series.steps.back().at})
    if (at < kEarliestTime || at > kLatestTime) fail_file(file, iso_seconds(at), kExpectedTimes);
  if (series.end <= series.steps.back().at)
    series.end = series.steps.back().at + usual_tick(series.steps);
  keep_changes(series.steps, &CapacityStep::instances);
  sort_by_time(series.prices);
  keep_changes(series.prices, &market::PricePoint::price);
}

}  // namespace

std::span<const AvailabilityFormat* const> availability_formats() { return kAvailabilityFormats; }

const AvailabilityFormat* availability_format_of(std::string_view text) {
  for (const AvailabilityFormat* format : kAvailabilityFormats)
    if (format->recognises(text)) return format;
  return nullptr;
}

AvailabilityTrace parse_as(const AvailabilityFormat& format, const TraceFile& file) {
  AvailabilityTrace trace = format.read(file);
  std::erase_if(trace.pools, [](const auto& entry) { return entry.second.steps.empty(); });
  if (trace.pools.empty()) fail_file(file, "no capacity", "at least one instant");
  for (auto& [pool, series] : trace.pools) put_in_order(series, file);
  return trace;
}

AvailabilityTrace parse_availability(const TraceFile& file) {
  if (const AvailabilityFormat* format = availability_format_of(file.text))
    return parse_as(*format, file);
  std::string expected = "an availability trace that looks like one of:";
  for (const AvailabilityFormat* format : kAvailabilityFormats)
    (expected += "\n  ") += format->looks_like;
  fail_at_line(file, 1, "format", first_line(file.text), expected);
}

AvailabilityTrace read_availability(const std::filesystem::path& file) {
  return parse_availability(load_trace_file(file));
}

std::vector<std::int64_t> sample(const CapacitySeries& series, Time from, Time to, Duration tick) {
  std::vector<std::int64_t> capacity;
  auto next = series.steps.begin();
  std::int64_t now = 0;
  for (Time t = from; t < to; t += tick) {
    for (; next != series.steps.end() && next->at <= t; ++next) now = next->instances;
    capacity.push_back(t < series.end ? now : 0);
  }
  return capacity;
}

market::Pool pool_of_trace_name(const std::filesystem::path& file) {
  std::string stem = file.filename().string();
  for (const std::string_view ending : {".gz", ".json", ".csv", ".txt"})
    if (stem.ends_with(ending)) stem.resize(stem.size() - ending.size());
  // A window of a trace is a numbered file in a folder named after the pool. Other files in it are
  // the trace itself (full.json).
  const bool numbered = !stem.empty() && stem.find_first_not_of("0123456789") == std::string::npos;
  const std::string window = numbered ? "#" + stem : "";
  for (const std::string& name : {stem, file.parent_path().filename().string()}) {
    const std::size_t end = name.find('_');
    if (end != std::string::npos && market::is_zone(name.substr(0, end)))
      return {name.substr(end + 1) + window, name.substr(0, end)};
    const bool gcp = end != std::string::npos && end > 2 && name[end - 2] == '-' &&
                     market::is_zone(name.substr(0, end - 2) + name[end - 1]);
    if (gcp) return {name.substr(end + 1) + window, name.substr(0, end)};
  }
  return {stem, ""};
}

std::optional<std::int64_t> parse_count(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && count >= 0 && count <= kMostInstances ? std::optional(count) : std::nullopt;
}

std::optional<bool> parse_bit(std::string_view text) {
  if (text == "0" || text == "1") return text == "1";
  return std::nullopt;
}

std::optional<Time> parse_offset(std::string_view text, Duration unit) {
  std::int64_t units = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), units);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (units < 0 || units > kLongestTrace / unit) return std::nullopt;
  return Time{units * unit};
}

namespace {

const std::vector<market::PricePoint>& prices_of(const market::Pool& pool,
                                                 const market::PriceHistory& prices) {
  const auto same = prices.pools.find(pool);
  if (same != prices.pools.end()) return same->second;
  const std::vector<market::PricePoint>* found = nullptr;
  std::string known;
  for (const auto& [other, points] : prices.pools) {
    known += (known.empty() ? "" : ", ") + market::to_string(other);
    if (other.availability_zone != pool.availability_zone) continue;
    if (found)
      throw TraceError(market::to_string(pool) +
                       ": found prices of several pools in its zone, expected of "
                       "one, or of its name");
    found = &points;
  }
  if (!found)
    throw TraceError(market::to_string(pool) + ": found no prices of it nor of its zone, but of " +
                     known);
  return *found;
}

}  // namespace

void join_prices(AvailabilityTrace& trace, const market::PriceHistory& prices) {
  for (auto& [pool, series] : trace.pools) {
    const Time begin = series.steps.front().at;
    std::vector<market::PricePoint> points = prices_of(pool, prices);
    if (points.front().at == kEarliestTime)
      for (market::PricePoint& point : points) point.at += begin - kEarliestTime;
    series.prices.clear();
    for (const market::PricePoint& point : points) {
      if (point.at >= series.end) break;
      if (point.at <= begin) series.prices.clear();
      if (series.prices.empty() || series.prices.back().price != point.price)
        series.prices.push_back({std::max(point.at, begin), point.price});
    }
    if (series.prices.empty())
      throw TraceError(market::to_string(pool) + ": its prices begin at " +
                       iso_seconds(points.front().at) + ", expected before its end at " +
                       iso_seconds(series.end));
  }
}

}  // namespace sim::traces
