// A chart of a few series of points over two axes, as SVG.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sim::cli {

struct ChartPoint {
  double x, y;
  std::optional<double> half_width{};  // of y's interval
  std::string label{};                 // beside the point
  bool hollow = false;
};
struct ChartSeries {
  std::string name;  // in the legend; empty: not there
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
  std::string x, y;  // what the axes count, with the unit
  std::vector<ChartSeries> series;
  bool log_x = false;            // if all x are above 0
  std::optional<double> at_x{};  // a vertical line there …
  std::string at_x_label{};      // … with this beside it
  std::optional<ChartBand> band{};
};

// The text of the file. Of no points it is the empty axes.
std::string drawn(const Chart& chart);

}  // namespace sim::cli
