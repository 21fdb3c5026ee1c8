// A chart of a few series of points over two axes, as SVG.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sim::cli {

struct ChartPoint {
  double x, y;
  std::optional<double> half_width{};  // half the width of y's interval
  std::string label{};                 // beside the point
  bool hollow = false;
};
struct ChartSeries {
  std::string name;  // in the legend; empty: the legend omits the series
  std::vector<ChartPoint> points;
  bool dots = true, line = true;
};
// A shaded range of x.
struct ChartBand {
  double from, to;
  std::string label{};
};
struct Chart {
  std::string title;
  std::string x, y;  // quantities on the axes, with their units
  std::vector<ChartSeries> series;
  bool log_x = false;            // if all x are above 0
  std::optional<double> at_x{};  // position of a vertical line
  std::string at_x_label{};      // label of that line
  std::optional<ChartBand> band{};
};

// The chart as the text of an SVG file. Without points the axes are empty.
std::string drawn(const Chart& chart);

}  // namespace sim::cli
