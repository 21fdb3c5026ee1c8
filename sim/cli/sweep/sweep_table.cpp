#include "sim/cli/sweep/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/cli/sweep/advice_words.h"
#include "sim/cli/terminal/text_columns.h"

namespace sim::cli {
namespace {

using sweep::Distribution;
using sweep::Grid;
using sweep::IntervalKind;
using sweep::Summary;

constexpr std::size_t kNarrowestName = 24;
constexpr std::size_t kMark = 2;  // columns before a name

// A column beside the names: a cell for each row.
struct TableColumn {
  std::string heading;
  std::vector<std::string> cells;
  bool needed = false;  // other columns are dropped if the table is too wide

  bool blank() const {
    return std::all_of(cells.begin(), cells.end(), [](const std::string& c) { return c.empty(); });
  }
};

std::size_t width_of(const TableColumn& column) {
  std::size_t width = text_width(column.heading);
  for (const std::string& cell : column.cells) width = std::max(width, text_width(cell));
  return width;
}

std::string percent(const std::optional<double>& share) { return share ? in_percent(*share) : ""; }

using Rows = std::vector<const Summary*>;

TableColumn column(const Rows& rows, std::string heading,
                   const std::function<std::string(const Summary&)>& cell) {
  TableColumn all{std::move(heading), {}};
  for (const Summary* s : rows) all.cells.push_back(cell(*s));
  return all;
}

using DistributionOf = std::function<const Distribution&(const Summary&)>;

// A mean and half the width of its interval, in dollars. The decimals show a hundredth of the
// smallest value; there are four at most.
void add_dollars(std::vector<TableColumn>& columns, const Rows& rows, const std::string& heading,
                 const DistributionOf& of) {
  double most = 0;
  for (const Summary* s : rows) most = std::max(most, std::abs(of(*s).mean));
  const int decimals = most < 1 ? 4 : most < 10 ? 3 : 2;
  columns.push_back(column(rows, heading, [&](const Summary& s) {
    return of(s).n > 0 ? fmt::format("{:.{}f}", of(s).mean, decimals) : "";
  }));
  columns.push_back(column(rows, "±", [&](const Summary& s) {
    const auto half = of(s).half_width_95;
    return half ? fmt::format("{:.{}f}", *half, decimals) : "";
  }));
  for (std::size_t i = columns.size() - 2; i < columns.size(); ++i) columns[i].needed = true;
}

// Hours, or minutes if all values are below two hours.
TableColumn mean_column(const Grid& grid, const Rows& rows, std::size_t measure) {
  std::string name = grid.measures[measure].name;
  std::replace(name.begin(), name.end(), '_', ' ');
  const auto mean = [&](const Summary& s) { return s.measures[measure].mean; };
  const bool is_time = grid.measures[measure].unit == sweep::Unit::kHours;
  const bool short_times = is_time && std::all_of(rows.begin(), rows.end(),
                                                  [&](const Summary* s) { return mean(*s) < 2; });
  const double factor = short_times ? 60 : 1;
  name += short_times ? " min" : is_time ? " h" : "";
  return column(rows, name, [&](const Summary& s) {
    return s.measures[measure].n > 0 ? fmt::format("{:.2f}", mean(s) * factor) : "";
  });
}

bool leaves_unfinished(const Summary& s) { return s.finished < s.measures[sweep::kCost].n; }

// The columns, the most important first.
std::vector<TableColumn> columns_of(const Grid& grid, const Rows& rows) {
  std::vector<TableColumn> all;
  const auto runs = [](const Summary& s) { return s.measures[sweep::kCost].n; };
  all.push_back(column(rows, "runs", [&](const Summary& s) { return std::to_string(runs(s)); }));
  const bool unfinished =
      std::any_of(rows.begin(), rows.end(), [](const Summary* s) { return leaves_unfinished(*s); });
  if (unfinished)
    all.push_back(
        column(rows, "finished", [](const Summary& s) { return std::to_string(s.finished); }));
  all.push_back(column(rows, "late", [](const Summary& s) { return percent(s.late_share); }));
  for (TableColumn& c : all) c.needed = true;
  add_dollars(all, rows, "cost $",
              [](const Summary& s) -> const Distribution& { return s.measures[sweep::kCost]; });
  if (rows.size() > 1)
    add_dollars(all, rows, "− first $",
                [](const Summary& s) -> const Distribution& { return s.dearer; });
  all.push_back(mean_column(grid, rows, sweep::kMakespan));
  all.back().needed = true;
  if (grid.interval)
    all.push_back(column(rows, "every min", [&](const Summary& s) {
      return fmt::format("{:.1f}", s.measures[*grid.interval].mean * 60);
    }));
  if (grid.expected_makespan) {
    all.push_back(mean_column(grid, rows, *grid.expected_makespan));
    all.back().heading = "expected " + all.back().heading.substr(all.back().heading.rfind(' ') + 1);
    all.push_back(column(rows, "− expected", [](const Summary& s) {
      return s.deviation ? fmt::format("{:+.1f} se", *s.deviation) : "";
    }));
  }
  all.push_back(column(rows, "savings", [](const Summary& s) { return percent(s.savings); }));
  all.push_back(
      column(rows, "gap", [](const Summary& s) { return s.gap.n > 0 ? percent(s.gap.mean) : ""; }));
  all.push_back(column(rows, "gap closed", [](const Summary& s) { return percent(s.gap_closed); }));
  all.push_back(column(rows, "spot use", [](const Summary& s) { return percent(s.utilisation); }));
  for (std::size_t m = 0; m < grid.measures.size(); ++m)
    if (grid.measures[m].headline && m != grid.interval && m != grid.expected_makespan)
      all.push_back(mean_column(grid, rows, m));
  std::erase_if(all, [](const TableColumn& c) { return c.blank(); });
  return all;
}

std::size_t width_of(const std::vector<TableColumn>& columns) {
  std::size_t width = kMark;
  for (const TableColumn& c : columns) width += 2 + width_of(c);
  return width;
}

std::string table_line(const char* mark, const std::string& name, std::size_t name_width,
                       const std::vector<TableColumn>& columns,
                       const std::function<std::string(const TableColumn&)>& cell) {
  std::string line = mark + name + spaces(name_width, name);
  for (const TableColumn& c : columns) line += "  " + spaces(width_of(c), cell(c)) + cell(c);
  return line + "\n";
}

// The variants' names, with their parts aligned.
TableColumn names_of(const Grid& grid, const Rows& rows) {
  TableColumn names{"", std::vector<std::string>(rows.size())};
  for (std::size_t c = grid.variants.shared; c < grid.variants.columns.size(); ++c) {
    const TableColumn part = column(rows, grid.variants.columns[c], [&](const Summary& s) {
      return grid.variants.points[static_cast<std::size_t>(s.variant)][c];
    });
    const bool last = c + 1 == grid.variants.columns.size();
    const std::size_t width = last ? 0 : width_of(part) + 2;
    names.heading += part.heading + spaces(width, part.heading);
    for (std::size_t r = 0; r < rows.size(); ++r)
      names.cells[r] += part.cells[r] + spaces(width, part.cells[r]);
  }
  return names;
}

std::string table_of(const Grid& grid, const Rows& rows, const Styler& styled) {
  std::vector<TableColumn> columns = columns_of(grid, rows);
  const TableColumn names = names_of(grid, rows);
  const std::size_t wanted = std::min(width_of(names), kWidestLine / 2);
  while (width_of(columns) + wanted > kWidestLine && !columns.back().needed) columns.pop_back();
  const std::size_t room = kWidestLine - std::min(kWidestLine, width_of(columns));
  const std::size_t width = std::min(width_of(names), std::max(room, kNarrowestName));
  std::string text =
      styled(Style::kHeading, table_line("  ", shortened(names.heading, width), width, columns,
                                         [](const TableColumn& c) { return c.heading; }));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool best = rows[i]->rank == 1 && rows.size() > 1;
    const std::string line = table_line(best ? "* " : "  ", shortened(names.cells[i], width), width,
                                        columns, [&](const TableColumn& c) { return c.cells[i]; });
    text += best ? styled(Style::kGood, line) : line;
  }
  return text;
}

std::string interval_note(const Summary& s) {
  switch (s.interval) {
    case IntervalKind::kStudent:
      return "";
    case IntervalKind::kBlocks:
      return fmt::format("± from {} blocks of its trace", s.clusters);
    case IntervalKind::kMarkets:
      return fmt::format("± from {} markets", s.clusters);
    case IntervalKind::kTooFewRuns:
    case IntervalKind::kTooFewBlocks:
    case IntervalKind::kTooFewMarkets:
      return fmt::format("no ±: {} ({}, expected {})", name_of(s.interval), s.clusters,
                         s.interval == IntervalKind::kTooFewRuns ? 2 : sweep::kFewestClusters);
    case IntervalKind::kNoStarts:
      return "no ±: the positions of its windows in their trace are unknown";
  }
  return "";
}

std::string heading_of(const Grid& grid, const Summary& s) {
  const sweep::Axis& settings = grid.settings;
  std::string text;
  if (settings.columns.size() == 1) text += settings.columns.front() + " ";
  if (!settings.columns.empty()) text = wrapped(text + describe(settings, s.setting), kWidestLine);
  const std::string market = grid.groups.empty() ? "" : market_name(grid, s);
  const std::string note = interval_note(s);
  if (!market.empty() || !note.empty())
    text += wrapped(market + (market.empty() || note.empty() ? "" : "; ") + note, kWidestLine);
  return text;
}

std::string legend(const Grid& grid, const std::vector<Summary>& summaries) {
  const auto any = [&](const auto& has) {
    return std::any_of(summaries.begin(), summaries.end(), has);
  };
  std::string text;
  if (grid.variants.size() > 1)
    text += fmt::format("* is the best: the fewest late runs{}, then the cheapest. ",
                        grid.late_allowed > 0 ? " beyond " + in_percent(grid.late_allowed) : "");
  if (any([](const Summary& s) { return s.measures[sweep::kCost].half_width_95.has_value(); }))
    text += "± is half of the mean's 95 % confidence interval. ";
  if (any(leaves_unfinished))
    text +=
        "finished is the number of runs that completed their work; the others count as late, at "
        "their cost so far. ";
  if (grid.variants.size() > 1)
    text += fmt::format(
        "\"− first $\" is the mean of the paired differences from {}, the sweep's first variant. ",
        shortened(describe(grid.variants, 0), kWidestLine / 2));
  if (grid.groups.size() > kMostMarketsShown)
    text += fmt::format("summary.csv has each of the {} markets. ", grid.groups.size());
  return wrapped(text + "All columns are in summary.csv.", kWidestLine);
}

}  // namespace

std::string market_name(const Grid& grid, const Summary& s) {
  return s.group ? "market " + grid.groups[*s.group].name
                 : fmt::format("all {} markets", grid.groups.size());
}

std::vector<std::span<const Summary>> shown_blocks(const Grid& grid,
                                                   const std::vector<Summary>& summaries) {
  std::vector<std::span<const Summary>> all;
  const auto variants = static_cast<std::size_t>(grid.variants.size());
  for (std::size_t at = 0; at < summaries.size(); at += variants)
    if (!summaries[at].group || grid.groups.size() <= kMostMarketsShown)
      all.push_back(std::span(summaries).subspan(at, variants));
  return all;
}

std::vector<const Summary*> best_first(std::span<const Summary> block) {
  std::vector<const Summary*> rows;
  for (const Summary& s : block) rows.push_back(&s);
  std::stable_sort(rows.begin(), rows.end(), [](const Summary* a, const Summary* b) {
    return a->rank.value_or(INT64_MAX) < b->rank.value_or(INT64_MAX);
  });
  return rows;
}

std::string sweep_table(const Grid& grid, const std::vector<Summary>& summaries,
                        const Styler& styled) {
  std::string text;
  for (const auto& block : shown_blocks(grid, summaries)) {
    text += heading_of(grid, block.front()) + table_of(grid, best_first(block), styled) + "\n";
  }
  return text + legend(grid, summaries);
}

}  // namespace sim::cli
