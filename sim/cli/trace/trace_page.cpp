#include "sim/cli/trace/trace_page.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "report/page.h"
#include "sim/cli/trace/trace_report.h"
#include "sim/events/event.h"
#include "sim/report/axis.h"

namespace sim::cli {
namespace {

using market::PriceHistory;
using market::PricePoint;
using traces::AvailabilityTrace;
using traces::CapacitySeries;

constexpr int kTraceSchema = 1;
constexpr std::int64_t kInstances = 1;  // a pool is available if it has capacity for so many

report::Axis axis_of(const PriceHistory& history) {
  report::Axis axis{Time::max(), Time::min()};
  for (const auto& [pool, points] : history.pools) {
    axis.begin = std::min(axis.begin, points.front().at);
    axis.end = std::max(axis.end, points.back().at);
  }
  return axis;
}

report::Axis axis_of(const AvailabilityTrace& trace) {
  report::Axis axis{Time::max(), Time::min()};
  for (const auto& [pool, series] : trace.pools) {
    axis.begin = std::min(axis.begin, series.steps.front().at);
    axis.end = std::max(axis.end, series.end);
  }
  return axis;
}

Json prices_json(const std::vector<PricePoint>& points, const report::Axis& axis) {
  Json prices = Json::array();
  for (const PricePoint& point : points)
    prices.push_back({axis.at(point.at), point.price.dollars()});
  return prices;
}

// Capacity ends with the series. After its end nothing is known.
Json capacity_json(const CapacitySeries& series, const report::Axis& axis) {
  Json capacity = Json::array();
  for (const traces::CapacityStep& step : series.steps)
    capacity.push_back({axis.at(step.at), step.instances});
  return capacity;
}

Json interruptions_json(const CapacitySeries& series, const report::Axis& axis) {
  Json interruptions = Json::array();
  bool before = false;
  for (const traces::CapacityStep& step : series.steps) {
    const bool there = step.instances >= kInstances;
    if (before && !there) interruptions.push_back(axis.at(step.at));
    before = there;
  }
  return interruptions;
}

Json pools_json(const PriceHistory& history, const report::Axis& axis) {
  Json pools = Json::array();
  for (const auto& [pool, points] : history.pools)
    pools.push_back({{"pool", to_string(pool)},
                     {"used", true},
                     {"from", axis.at(points.front().at)},
                     {"to", axis.at(points.back().at)},
                     {"prices", prices_json(points, axis)},
                     {"capacity", Json::array()},
                     {"interruptions", nullptr},
                     {"price_statistics", statistics_json(points)},
                     {"capacity_statistics", nullptr}});
  return pools;
}

Json pools_json(const AvailabilityTrace& trace, const report::Axis& axis) {
  Json pools = Json::array();
  for (const auto& [pool, series] : trace.pools)
    pools.push_back(
        {{"pool", to_string(pool)},
         {"used", true},
         {"from", axis.at(series.steps.front().at)},
         {"to", axis.at(series.end)},
         {"prices", prices_json(series.prices, axis)},
         {"capacity", capacity_json(series, axis)},
         {"interruptions", interruptions_json(series, axis)},
         {"price_statistics", series.prices.empty() ? Json() : statistics_json(series.prices)},
         {"capacity_statistics", statistics_json(series, kInstances)}});
  return pools;
}

Json sources_json(const Traces& traces) {
  Json sources = Json::array();
  for (const Source& source : traces.sources)
    sources.push_back(
        {{"file", source.file.string()}, {"format", source.format}, {"meaning", source.meaning}});
  return sources;
}

}  // namespace

std::string trace_page(const Traces& traces) try {
  return std::visit(
      [&](const auto& content) {
        const report::Axis axis = axis_of(content);
        const Json json{
            {"schema", kTraceSchema},
            {"kind", "trace"},
            {"time", {{"begin", iso_milliseconds(axis.begin)}, {"seconds", axis.length()}}},
            {"sources", sources_json(traces)},
            {"pools", pools_json(content, axis)},
            {"correlations", correlations_json(correlations(content, kInstances))}};
        return ::page::page_of(json.dump(-1, ' ', false, Json::error_handler_t::replace));
      },
      traces.content);
} catch (const std::runtime_error& error) {
  throw traces::TraceError(error.what());
}

}  // namespace sim::cli
