#include "sim/cli/sweep/sweep_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/cli/sweep/sweep_table.h"
#include "sim/cli/terminal/chart.h"

namespace sim::cli {
namespace {

using sweep::Grid;
using sweep::Summary;
using Block = std::span<const Summary>;  // the variants of one setting and group

// A text with only characters that a file's name may have.
std::string safe(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '_' && c != '+') c = '-';
  return text.substr(0, 100);
}

std::string market_suffix(const Grid& grid, const Summary& s) {
  if (grid.groups.size() < 2) return "";
  return "-" + (s.group ? safe(grid.groups[*s.group].name) : "all");
}
std::string setting_suffix(const Grid& grid, std::int64_t setting) {
  return grid.settings.size() > 1 ? fmt::format("-{}", setting + 1) : "";
}

std::string title_of(const Grid& grid, const std::string& setting, const Summary& s) {
  if (grid.groups.empty()) return setting;
  return setting + (setting.empty() ? "" : "; ") + market_name(grid, s);
}
std::string setting_name(const Grid& grid, std::int64_t setting) {
  return grid.settings.columns.empty() ? "" : describe(grid.settings, setting);
}

ChartPoint cost_at(double x, const Summary& s) {
  const sweep::Distribution& cost = s.measures[sweep::kCost];
  return {.x = x, .y = cost.mean, .half_width = cost.half_width_95};
}

traces::TraceFile pareto_plot(const Grid& grid, Block block) {
  Chart chart{.title = title_of(grid, setting_name(grid, block[0].setting), block[0]),
              .x = "mean makespan, hours",
              .y = "mean cost, $"};
  ChartSeries front{.name = "no other is both cheaper and faster", .points = {}, .dots = false};
  for (const Summary* s : best_first(block)) {
    const sweep::Distribution& makespan = s->measures[sweep::kMakespan];
    if (makespan.n == 0 || s->measures[sweep::kCost].n == 0) continue;
    ChartPoint point = cost_at(makespan.mean, *s);
    if (s->pareto) front.points.push_back({.x = point.x, .y = point.y});
    const double late = s->late_share.value_or(0);
    point.hollow = late > grid.late_allowed;
    point.label = s->rank ? std::to_string(*s->rank) : "";
    std::string name = point.label + " " + describe(grid.variants, s->variant);
    if (late > 0) name += fmt::format(" ({:.1f} % late)", late * 100);
    chart.series.push_back({.name = std::move(name), .points = {std::move(point)}});
  }
  std::sort(front.points.begin(), front.points.end(),
            [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
  chart.series.push_back(std::move(front));
  return {
      "pareto" + setting_suffix(grid, block[0].setting) + market_suffix(grid, block[0]) + ".svg",
      drawn(chart)};
}

traces::TraceFile interval_plot(const Grid& grid, Block block) {
  const auto setting = static_cast<std::size_t>(block[0].setting);
  const double best = grid.best_interval_h.at(setting);
  Chart chart{.title = setting_name(grid, block[0].setting),
              .x = "time between checkpoints, minutes",
              .y = "mean cost, $",
              .log_x = true,
              .at_x = best * 60,
              .at_x_label = fmt::format("optimum by formula: {:.1f} minutes", best * 60)};
  ChartSeries simulated{.name = "simulated", .points = {}, .line = false};
  ChartSeries expected{.name = "by formula", .points = {}, .dots = false};
  for (const Summary& s : block) {
    const double minutes = s.measures[*grid.interval].mean * 60;
    const double mean = s.measures[sweep::kMakespan].mean;
    simulated.points.push_back(cost_at(minutes, s));
    expected.points.push_back(
        {.x = minutes,
         .y = s.measures[sweep::kCost].mean * s.measures[*grid.expected_makespan].mean / mean});
  }
  std::sort(expected.points.begin(), expected.points.end(),
            [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
  chart.series = {std::move(simulated), std::move(expected)};
  return {"cost-by-interval" + setting_suffix(grid, block[0].setting) + ".svg", drawn(chart)};
}

// Settings of one group that differ only in the deadline, by deadline.
using ByDeadline = std::map<double, Block>;

traces::TraceFile deadline_plot(const Grid& grid, const std::string& rest, const ByDeadline& blocks,
                                const std::string& suffix) {
  const Block first = blocks.begin()->second;
  Chart chart{.title = title_of(grid, rest, first[0]), .x = "deadline, hours", .y = "mean cost, $"};
  for (std::size_t v = 0; v < first.size(); ++v) {
    ChartSeries series{.name = describe(grid.variants, first[v].variant), .points = {}};
    for (const auto& [deadline, block] : blocks) {
      if (block[v].measures[sweep::kCost].n == 0) continue;
      ChartPoint point = cost_at(deadline, block[v]);
      point.hollow = block[v].late_share.value_or(0) > grid.late_allowed;
      series.points.push_back(point);
    }
    chart.series.push_back(std::move(series));
  }
  return {"cost-by-deadline" + suffix + market_suffix(grid, first[0]) + ".svg", drawn(chart)};
}

std::vector<traces::TraceFile> deadline_plots(const Grid& grid, const std::vector<Block>& blocks) {
  std::vector<traces::TraceFile> files;
  std::vector<std::string> rests;
  for (const std::string& rest : grid.but_for_deadline)
    if (std::find(rests.begin(), rests.end(), rest) == rests.end()) rests.push_back(rest);
  for (std::size_t r = 0; r < rests.size(); ++r) {
    std::map<std::size_t, ByDeadline> by_group;  // all groups together come last
    for (const Block& block : blocks) {
      const auto setting = static_cast<std::size_t>(block[0].setting);
      if (grid.but_for_deadline[setting] == rests[r])
        by_group[block[0].group.value_or(grid.groups.size())][grid.deadline_h[setting]] = block;
    }
    for (const auto& [group, by_deadline] : by_group)
      if (by_deadline.size() > 1)
        files.push_back(deadline_plot(grid, rests[r], by_deadline,
                                      rests.size() > 1 ? fmt::format("-{}", r + 1) : ""));
  }
  return files;
}

}  // namespace

std::vector<traces::TraceFile> sweep_plots(const Grid& grid,
                                           const std::vector<Summary>& summaries) {
  const std::vector<Block> blocks = shown_blocks(grid, summaries);
  std::vector<traces::TraceFile> files = deadline_plots(grid, blocks);
  for (const Block& block : blocks) {
    if (grid.interval) files.push_back(interval_plot(grid, block));
    files.push_back(pareto_plot(grid, block));
  }
  return files;
}

}  // namespace sim::cli
