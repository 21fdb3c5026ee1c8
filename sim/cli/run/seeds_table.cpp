// The table of `spotsim run --seeds`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

#include "sim/cli/run/seeds.h"
#include "sim/cli/terminal/text_columns.h"
#include "sim/result/missing_action.h"
#include "sim/sweep/statistics.h"

namespace sim::cli {
namespace {

std::string whole_seconds(Duration d) {
  return format_duration(std::chrono::round<std::chrono::seconds>(d));
}

// The mean of a figure over the rows that have it, and half of its 95 % interval.
struct Mean {
  std::int64_t n = 0;
  double value = 0;
  std::optional<double> half;
};

Mean mean_of(const std::vector<SeedRow>& rows,
             const std::function<std::optional<double>(const SeedRow&)>& figure) {
  std::vector<sweep::Observation> values;
  for (const SeedRow& row : rows)
    if (const auto value = figure(row)) values.push_back({values.size(), *value});
  sweep::Grid grid;
  grid.cases.points.resize(values.size());
  const auto all = sweep::distribution_of(values, sweep::Dependence(grid, {}));
  return {all.n, all.mean, values.size() > 1 ? all.half_width_95 : std::nullopt};
}

std::string in_words(const Mean& mean, const std::function<std::string(double)>& format) {
  if (mean.n == 0) return "-";
  return format(mean.value) + (mean.half ? " ± " + format(*mean.half) : "");
}

// Names the AWS actions that spotsim does not have, with the number of runs that called any.
std::string missing_actions(const std::vector<SeedRow>& rows, const Styler& styled) {
  std::set<std::string> actions;
  for (const SeedRow& row : rows)
    actions.insert(row.missing_actions.begin(), row.missing_actions.end());
  if (actions.empty()) return "";
  const auto without =
      std::ranges::count_if(rows, [](const SeedRow& row) { return row.missing_actions.empty(); });
  return fmt::format("\n{} in {} of {} runs: {}\n  {}\n",
                     styled(Style::kWarning, "Missing AWS actions"), std::ssize(rows) - without,
                     rows.size(), result::kOfMissingActions, fmt::join(actions, ", "));
}

std::string in_dollars(double dollars) { return fmt::format("${:.4f}", dollars); }
std::string as_time(double seconds) { return whole_seconds(from_seconds(seconds)); }

}  // namespace

std::string seeds_table(const std::string& scenario, const std::vector<SeedRow>& rows,
                        const Styler& styled) {
  constexpr auto kRight = Column::Side::kRight;
  std::vector<std::vector<std::string>> cells{
      {"seed", "outcome", "makespan", "cost", "lost steps", "lost time", "fingerprint"}};
  for (const SeedRow& row : rows)
    cells.push_back({std::to_string(row.seed), row.outcome, whole_seconds(row.makespan),
                     in_dollars(row.cost.dollars()),
                     row.reports_progress ? std::to_string(row.lost_steps) : "-",
                     row.reports_progress ? whole_seconds(row.lost_time) : "-", row.fingerprint});
  const auto lines =
      aligned(cells, {{4, kRight}, {9}, {8, kRight}, {8, kRight}, {10, kRight}, {9, kRight}, {16}});
  std::string text = missing_actions(rows, styled);
  text += fmt::format("\n{}: {} seeds\n{}\n", scenario, rows.size(),
                      styled(Style::kHeading, "  " + lines.front()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += rows[i].good
                ? fmt::format("  {}\n", lines[i + 1])
                : styled(Style::kError, fmt::format("  {}  NOT as expected\n", lines[i + 1]));
  const auto completed = std::ranges::count(rows, "completed", &SeedRow::outcome);
  text += fmt::format("\n  completed   {} of {}\n", completed, rows.size());
  const auto known = [](double value, bool is_known) {
    return is_known ? std::optional(value) : std::nullopt;
  };
  const auto row = [&](const char* name, const auto& figure, const auto& format) {
    text += fmt::format("  {:<10}  {}\n", name, in_words(mean_of(rows, figure), format));
  };
  row(
      "makespan",
      [&](const SeedRow& r) { return known(seconds(r.makespan), r.outcome == "completed"); },
      as_time);
  row(
      "cost", [&](const SeedRow& r) { return known(r.cost.dollars(), true); }, in_dollars);
  row(
      "lost steps",
      [&](const SeedRow& r) {
        return known(static_cast<double>(r.lost_steps), r.reports_progress);
      },
      [](double steps) { return fmt::format("{:.2f}", steps); });
  row(
      "lost time",
      [&](const SeedRow& r) { return known(seconds(r.lost_time), r.reports_progress); }, as_time);
  return text;
}

}  // namespace sim::cli
