#include "sim/cli/terminal/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/cli/terminal/svg.h"

namespace sim::cli {
namespace {

constexpr double kChartWidth = 900, kChartHeight = 520;
constexpr double kFromLeft = 80, kFromRight = 40, kFromTop = 50, kFromBottom = 60;
constexpr double kLegendLine = 18;
constexpr const char* kRangeColour = "#e3efe0";
constexpr std::array<const char*, 8> kColours{"#1f6f9f", "#b3541e", "#4a8f3c", "#7b4fa3",
                                              "#a8324a", "#5c6b73", "#c29a1b", "#2aa198"};

// An axis in the plane: its values from low to high become pixels from `at_low` to `at_high`.
struct ChartAxis {
  double low, high, at_low, at_high;
  bool log = false;

  double place(double value) const {
    const double share =
        log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return at_low + share * (at_high - at_low);
  }
  // Round numbers: steps of 1, 2 or 5 times a power of ten. On a log axis, the numbers themselves
  // have this form.
  std::vector<double> ticks() const {
    std::vector<double> all;
    if (log) {
      for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10)
        for (const double digit : {1.0, 2.0, 5.0})
          if (digit * power >= low && digit * power <= high) all.push_back(digit * power);
      return all;
    }
    const double rough = (high - low) / 6, power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double digit : {5.0, 2.0, 1.0})
      if (digit * power >= rough) step = digit * power;
    for (double i = std::ceil(low / step); i * step <= high; ++i) all.push_back(i * step);
    return all;
  }
};

// An axis over all values, with a margin.
ChartAxis axis_over(std::vector<double> values, bool log, double at_low, double at_high) {
  if (values.empty()) values = {1, 2};
  double low = *std::min_element(values.begin(), values.end());
  double high = *std::max_element(values.begin(), values.end());
  if (log) return {low / 1.25, high * 1.25, at_low, at_high, true};
  const double margin = high > low ? (high - low) * 0.08 : std::max(std::abs(high) * 0.1, 1e-6);
  return {low - margin, high + margin, at_low, at_high};
}

void draw_axes(pugi::xml_node& root, const Chart& chart, const ChartAxis& x, const ChartAxis& y) {
  svg::text(root, kFromLeft, 24, chart.title, "start");
  for (const double tick : x.ticks()) {
    svg::path(root, fmt::format("M{:.1f} {}V{}", x.place(tick), y.at_low, y.at_high), "none",
              svg::kGrid);
    svg::text(root, x.place(tick), y.at_low + 18, fmt::format("{:g}", tick), "middle");
  }
  for (const double tick : y.ticks()) {
    svg::path(root, fmt::format("M{} {:.1f}H{}", x.at_low, y.place(tick), x.at_high), "none",
              svg::kGrid);
    svg::text(root, x.at_low - 8, y.place(tick) + 4, fmt::format("{:g}", tick), "end");
  }
  svg::path(root, fmt::format("M{} {}V{}H{}", x.at_low, y.at_high, y.at_low, x.at_high), "none",
            svg::kInk);
  svg::text(root, x.at_high, y.at_low + 40, chart.x, "end");
  svg::text(root, kFromLeft, 42, chart.y, "start");
}

void draw_mark(pugi::xml_node& root, const Chart& chart, const ChartAxis& x, const ChartAxis& y) {
  if (!chart.at_x) return;
  const double at = x.place(*chart.at_x);
  svg::path(root, fmt::format("M{:.1f} {}V{}", at, y.at_low, y.at_high), "none", svg::kInk);
  root.last_child().append_attribute("stroke-dasharray") = "5 4";
  svg::text(root, at + 5, y.at_high + 12, chart.at_x_label, "start");
}

void draw_band(pugi::xml_node& root, const Chart& chart, const ChartAxis& x, const ChartAxis& y) {
  if (!chart.band) return;
  const double from = x.place(chart.band->from), to = x.place(chart.band->to);
  svg::path(root, fmt::format("M{:.1f} {}H{:.1f}V{}H{:.1f}Z", from, y.at_low, to, y.at_high, from),
            kRangeColour, kRangeColour);
  svg::text(root, from + 5, y.at_low - 6, chart.band->label, "start");
}

void draw_series(pugi::xml_node& root, const ChartSeries& series, const ChartAxis& x,
                 const ChartAxis& y, const char* colour) {
  std::string line;
  for (const ChartPoint& p : series.points)
    line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x.place(p.x), y.place(p.y));
  if (series.line && series.points.size() > 1) svg::path(root, line, "none", colour);
  for (const ChartPoint& p : series.points) {
    const double at_x = x.place(p.x), at_y = y.place(p.y);
    if (p.half_width)
      svg::path(root,
                fmt::format("M{:.1f} {:.1f}V{:.1f}", at_x, y.place(p.y - *p.half_width),
                            y.place(p.y + *p.half_width)),
                "none", colour);
    if (series.dots) svg::circle(root, at_x, at_y, 4, p.hollow ? "white" : colour, colour);
    const bool right = at_x > kChartWidth * 0.7;
    if (!p.label.empty())
      svg::text(root, at_x + (right ? -8 : 8), at_y - 6, p.label, right ? "end" : "start");
  }
}

}  // namespace

std::string drawn(const Chart& chart) {
  std::vector<double> xs, ys;
  double named = 0;
  for (const ChartSeries& series : chart.series) {
    named += series.name.empty() ? 0 : 1;
    for (const ChartPoint& p : series.points) {
      xs.push_back(p.x);
      ys.push_back(p.y - p.half_width.value_or(0));
      ys.push_back(p.y + p.half_width.value_or(0));
    }
  }
  if (chart.at_x) xs.push_back(*chart.at_x);
  if (chart.band) xs.insert(xs.end(), {chart.band->from, chart.band->to});
  const ChartAxis x = axis_over(xs, chart.log_x, kFromLeft, kChartWidth - kFromRight);
  const ChartAxis y = axis_over(ys, false, kChartHeight - kFromBottom, kFromTop);
  pugi::xml_document document;
  pugi::xml_node root = svg::begin(document, kChartWidth, kChartHeight + named * kLegendLine);
  draw_band(root, chart, x, y);
  draw_axes(root, chart, x, y);
  draw_mark(root, chart, x, y);
  double legend = kChartHeight;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const char* const colour = kColours[i % kColours.size()];
    draw_series(root, chart.series[i], x, y, colour);
    if (chart.series[i].name.empty()) continue;
    svg::circle(root, kFromLeft + 4, legend, 4, colour, colour);
    svg::text(root, kFromLeft + 16, legend + 4, chart.series[i].name, "start");
    legend += kLegendLine;
  }
  return svg::written(document);
}

}  // namespace sim::cli
