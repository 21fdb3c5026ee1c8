// A picture of traces, as SVG or PNG: a row a pool, capacity as a filled band, prices as a step
// line, over one time axis.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/cli/terminal/png.h"
#include "sim/cli/terminal/svg.h"
#include "sim/cli/trace/trace_commands.h"
#include "sim/cli/trace/trace_page.h"
#include "sim/traces/trace_file.h"

namespace sim::cli {
namespace {

using market::PriceHistory;
using market::PricePoint;
using traces::AvailabilityTrace;
using traces::CapacitySeries;
using traces::TraceError;

constexpr std::size_t kMostPools = 12;
constexpr double kLeft = 170, kRight = 70, kWidth = 1200, kTop = 20, kRow = 64, kGap = 18;
constexpr double kAxis = 40;
constexpr const char *kBand = "#8fbcd4", *kLine = "#b3541e";

struct SeriesPoint {
  Time at;
  double value;  // from `at` until the next
};
struct PoolRow {
  std::string name;
  std::vector<SeriesPoint> capacity, prices;
  Time begin, end;
};

std::vector<SeriesPoint> values(const std::vector<PricePoint>& points) {
  std::vector<SeriesPoint> all;
  for (const PricePoint& p : points) all.push_back({p.at, p.price.dollars()});
  return all;
}

std::vector<PoolRow> rows_of(const PriceHistory& history) {
  std::vector<PoolRow> rows;
  for (const auto& [pool, points] : history.pools)
    rows.push_back({to_string(pool), {}, values(points), points.front().at, points.back().at});
  return rows;
}

std::vector<PoolRow> rows_of(const AvailabilityTrace& trace) {
  std::vector<PoolRow> rows;
  for (const auto& [pool, series] : trace.pools) {
    PoolRow row{to_string(pool), {}, values(series.prices), series.steps.front().at, series.end};
    for (const auto& step : series.steps)
      row.capacity.push_back({step.at, static_cast<double>(step.instances)});
    rows.push_back(std::move(row));
  }
  return rows;
}

// The time axis: the position of an instant, and the instants with labels.
struct Axis {
  Time from, to;

  double x(Time t) const {
    return kLeft + (kWidth - kLeft - kRight) * seconds(t - from) / seconds(to - from);
  }
  // At most eight apart, on round numbers of hours or days.
  Duration step() const {
    constexpr int kHours[] = {1, 2, 3, 6, 12, 24, 48, 72, 168, 336, 720, 2160, 4320, 8760};
    for (const int hours : kHours)
      if ((to - from) / 8 <= std::chrono::hours(hours)) return std::chrono::hours(hours);
    return std::chrono::hours(8760) * ((to - from) / std::chrono::hours(8 * 8760) + 1);
  }
  std::string label(Time t) const {
    const std::string iso = iso_seconds(t);
    return step() < 24h ? iso.substr(5, 5) + " " + iso.substr(11, 5) : iso.substr(0, 10);
  }
};

// The scale of a row's values: from 0 for capacity, around the prices otherwise.
struct Scale {
  double low, high, top;
  double y(double value) const { return top + kRow - kRow * (value - low) / (high - low); }
};

Scale scale_of(const std::vector<SeriesPoint>& values, bool from_zero, double top) {
  const auto [least, most] = std::minmax_element(
      values.begin(), values.end(),
      [](const SeriesPoint& a, const SeriesPoint& b) { return a.value < b.value; });
  double low = from_zero ? 0 : least->value, high = most->value;
  if (high <= low)
    high = low + std::max(std::abs(low) * 0.1, 1e-4), low -= from_zero ? 0 : high - low;
  return {low, from_zero ? std::max(high, 1.0) : high, top};
}

// The corners of a step line. Several changes within a tenth of a pixel become one stroke from the
// least to the greatest value, so that a file stays small.
std::string steps(const std::vector<SeriesPoint>& values, Time end, const Axis& axis,
                  const Scale& scale) {
  std::string path;
  const auto to = [&](double x, double y) {
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
  };
  for (std::size_t i = 0; i < values.size();) {
    const double x = axis.x(values[i].at);
    double low = scale.y(values[i].value), high = low, y = low;
    for (++i; i < values.size() && axis.x(values[i].at) - x < 0.1; ++i) {
      y = scale.y(values[i].value);
      low = std::min(low, y), high = std::max(high, y);
    }
    if (low < high) to(x, low), to(x, high);
    to(x, y);
    to(i < values.size() ? axis.x(values[i].at) : axis.x(end), y);
  }
  return path;
}

void draw_axis(pugi::xml_node& root, const Axis& axis, double bottom) {
  const Duration step = axis.step();
  const auto first = (axis.from.time_since_epoch() + step - 1ns) / step;
  for (Time t{first * step}; t <= axis.to; t += step) {
    svg::path(root, fmt::format("M{0:.1f} {1}V{2}", axis.x(t), kTop, bottom), "none", svg::kGrid);
    svg::text(root, axis.x(t), bottom + 18, axis.label(t), "middle");
  }
}

void draw_row(pugi::xml_node& root, const PoolRow& row, const Axis& axis, double top) {
  svg::text(root, kLeft - 10, top + kRow / 2 + 4, row.name, "end");
  if (!row.capacity.empty()) {
    const Scale scale = scale_of(row.capacity, true, top);
    svg::path(root,
              steps(row.capacity, row.end, axis, scale) +
                  fmt::format("L{:.1f} {:.1f}L{:.1f} {:.1f}Z", axis.x(row.end), top + kRow,
                              axis.x(row.begin), top + kRow),
              kBand, "none");
    svg::text(root, kLeft - 4, top + 9, fmt::format("{:g}", scale.high), "end");
  }
  if (!row.prices.empty()) {
    const Scale scale = scale_of(row.prices, false, top);
    svg::path(root, steps(row.prices, row.end, axis, scale), "none", kLine);
    svg::text(root, kWidth - kRight + 6, top + 9, fmt::format("${:.4f}", scale.high), "start");
    svg::text(root, kWidth - kRight + 6, top + kRow, fmt::format("${:.4f}", scale.low), "start");
  }
  svg::path(root, fmt::format("M{} {}H{}", kLeft, top + kRow, kWidth - kRight), "none", svg::kInk);
}

std::string svg_of(const std::vector<PoolRow>& rows) {
  Axis axis{Time::max(), Time::min()};
  for (const PoolRow& row : rows)
    axis.from = std::min(axis.from, row.begin), axis.to = std::max(axis.to, row.end);
  if (axis.to <= axis.from) axis.to = axis.from + 1h;
  const double bottom = kTop + static_cast<double>(rows.size()) * (kRow + kGap);
  pugi::xml_document document;
  pugi::xml_node root = svg::begin(document, kWidth, bottom + kAxis);
  draw_axis(root, axis, bottom);
  double top = kTop;
  for (const PoolRow& row : rows) draw_row(root, row, axis, top), top += kRow + kGap;
  return svg::written(document);
}

std::string picture(const Traces& traces) {
  const std::vector<PoolRow> rows =
      std::visit([](const auto& content) { return rows_of(content); }, traces.content);
  if (rows.size() > kMostPools)
    throw TraceError(
        fmt::format("found {} pools, expected at most {}: --pool, --type and --zone "
                    "select, or write a page (--out x.html)",
                    rows.size(), kMostPools));
  return svg_of(rows);
}

std::string bitmap(const Traces& traces) try {
  return png_of(picture(traces));
} catch (const std::runtime_error& error) {
  throw TraceError(std::string("--out: ") + error.what());
}

struct Format {
  std::string_view ending;
  std::string (*file)(const Traces& traces);
};
constexpr Format kFormats[] = {{".svg", picture}, {".png", bitmap}, {".html", trace_page}};

}  // namespace

void plot_trace(const PlotTrace& command) {
  const auto* const format =
      std::ranges::find(kFormats, command.out.extension().string(), &Format::ending);
  if (format == std::end(kFormats))
    throw TraceError(fmt::format(
        "--out: found {}, expected a file that ends in .svg, .png or .html", command.out.string()));
  const std::string text = format->file(read_traces(command.input));
  traces::write_trace_files(std::array{traces::TraceFile{command.out, text}});
}

}  // namespace sim::cli
