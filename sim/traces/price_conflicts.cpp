#include "sim/traces/price_conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sim/traces/csv.h"

namespace sim::traces {
namespace {

struct PricedLine {
  std::size_t line;
  market::Usd price;
};

// Calls record(line number, text) for each line.
template <typename Record>
void each_line(std::string_view text, std::size_t line, const Record& record) {
  for (; !text.empty(); ++line) record(line, take_line(text));
}

// The same for each object of a JSON document that has no object in it.
template <typename Record>
void each_object(std::string_view text, const Record& record) {
  std::size_t line = 1;
  for (std::size_t at = text.find_first_of("{\n"); at != text.npos;
       at = text.find_first_of("{\n", at + 1)) {
    if (text[at] == '\n') {
      ++line;
      continue;
    }
    const std::size_t end = text.find_first_of("{}", at + 1);
    if (end != text.npos && text[end] == '}') record(line, text.substr(at, end + 1 - at));
  }
}

// The places of a pool's prices at an instant, found by reading each record alone.
std::vector<PricedLine> places_of(const PriceFormat& format, const TraceFile& file,
                                  const market::Pool& pool, Time at) {
  std::vector<PricedLine> places;
  const bool named = file.text.find(pool.instance_type) != std::string::npos;  // or by the file
  const auto look = [&](std::size_t line, std::string_view record, const PriceFormat& its,
                        std::string text) {
    if (named && record.find(pool.instance_type) == record.npos) return;
    std::vector<std::string> ignored;
    try {
      const market::PriceHistory history = its.read({file.path, std::move(text)}, 1, ignored);
      const auto found = history.pools.find(pool);
      if (found == history.pools.end()) return;
      for (const market::PricePoint& point : found->second)
        if (point.at == at) places.push_back({line, point.price});
    } catch (const TraceError&) {  // of another product
    }
  };
  std::string_view rest = file.text;
  if (format.records == Records::kObjects) {
    each_object(rest, [&](std::size_t line, std::string_view object) {
      look(line, object, kAwsArray, fmt::format("[{}]", object));
    });
  } else if (format.records != Records::kNone) {
    const bool has_header = format.records == Records::kLinesBelowHeader;
    const std::string header = has_header ? std::string(take_line(rest)) + "\n" : "";
    each_line(rest, has_header ? 2 : 1, [&](std::size_t line, std::string_view text) {
      look(line, text, format, header + std::string(text));
    });
  }
  return places;
}

}  // namespace

void PriceConflicts::look_at(const market::Pool& pool,
                             const std::vector<market::PricePoint>& points) {
  const auto not_after = [](const market::PricePoint& a, const market::PricePoint& b) {
    return a.at >= b.at;
  };
  if (std::ranges::adjacent_find(points, not_after) == points.end()) return;
  std::vector<market::PricePoint> sorted = points;
  std::ranges::stable_sort(sorted, {}, &market::PricePoint::at);
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i - 1].at != sorted[i].at || sorted[i - 1].price == sorted[i].price) continue;
    if (!first_) first_ = {pool, sorted[i].at};
    ++count_;
  }
}

void PriceConflicts::tell(const PriceFormat& format, const TraceFile& file,
                          PriceReading& reading) const {
  if (!first_) return;
  const TraceFile whole = file.size > 0 ? load_trace_file(file.path) : TraceFile{};
  const auto places = places_of(format, file.size > 0 ? whole : file, first_->pool, first_->at);
  const auto other = std::ranges::find_if(
      places, [&](const PricedLine& place) { return place.price != places.front().price; });
  const market::Usd counts =
      market::in_force(reading.history.pools.at(first_->pool), first_->at)->price;
  std::string where = file.path.string(), found = "two prices";
  if (other != places.end()) {
    where += fmt::format(":{}", other->line);
    found = fmt::format("{}, and {} on line {}", market::format_usd(other->price),
                        market::format_usd(places.front().price), places.front().line);
  }
  reading.warnings.push_back(fmt::format(
      "{}: {} at {}: warning: found {}, expected one price at an instant: {} is used{}. Perhaps "
      "the file has the prices of two products",
      where, market::to_string(first_->pool), iso_seconds(first_->at), found,
      market::format_usd(counts),
      count_ > 1 ? fmt::format(" ({} more like this)", count_ - 1) : ""));
}

}  // namespace sim::traces
