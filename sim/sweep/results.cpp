#include "sim/sweep/results.h"

#include "sim/sweep/store.h"
#include "sim/sweep/table.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;
using Columns = std::vector<std::string>;

void add(Columns& columns, const Columns& more) {
  columns.insert(columns.end(), more.begin(), more.end());
}

void add_distribution(Columns& columns, const std::string& name) {
  for (const char* part : {"mean", "sd", "p5", "p50", "p95", "ci95"})
    columns.push_back(name + "_" + part);
}

void write(Table& table, const Axis& axis, std::int64_t point) {
  for (const std::string& text : axis.points[static_cast<std::size_t>(point)]) table.text(text);
}

void write(Table& table, const Distribution& d) {
  for (const double value : {d.mean, d.sd, d.p5, d.p50, d.p95, d.half_width_95})
    d.n > 0 ? table.number(value) : table.nothing();
}

void write(Table& table, const std::optional<double>& value) {
  value ? table.number(*value) : table.nothing();
}

void write(Table& table, const Measure& measure, std::int64_t value) {
  if (value == kNothing) return table.nothing();
  if (measure.unit == Unit::kCount) return table.count(value);
  if (measure.unit == Unit::kWord)
    return table.text(measure.words.at(static_cast<std::size_t>(value)));
  table.number(shown(measure.unit, value));
}

void write_runs(SQLite::Database& db, const Grid& grid, const Rows& rows, const fs::path& file) {
  Columns columns = grid.settings.columns;
  add(columns, grid.cases.columns);
  add(columns, grid.variants.columns);
  for (const Measure& measure : grid.measures) columns.push_back(measure.column());
  Table table(db, "runs", columns, file);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    write(table, grid.settings, grid.setting_of(rows.run(i)));
    write(table, grid.cases, grid.case_of(rows.run(i)));
    write(table, grid.variants, grid.variant_of(rows.run(i)));
    for (std::size_t m = 0; m < grid.measures.size(); ++m)
      write(table, grid.measures[m], rows.measures(i)[m]);
    table.end_row();
  }
  table.finish();
}

Columns summary_columns(const Grid& grid) {
  Columns columns = grid.settings.columns;
  add(columns, grid.variants.columns);
  columns.push_back("n");
  for (const Measure& measure : grid.measures) {
    if (measure.summary == Measure::Summary::kMean) columns.push_back(measure.column());
    if (measure.summary == Measure::Summary::kDistribution)
      add_distribution(columns, measure.column());
  }
  add(columns, {"miss_rate", "savings"});
  add_distribution(columns, "dearer_than_first_usd");
  add_distribution(columns, "slower_than_first_h");
  if (grid.bound) add_distribution(columns, "gap_to_optimum");
  if (grid.bound && grid.reference) columns.push_back("gap_closed");
  if (grid.bound && grid.utilisation) columns.push_back("spot_utilisation");
  if (grid.expected_makespan) columns.push_back("makespan_deviation");
  columns.push_back("pareto");
  return columns;
}

void write_summary(SQLite::Database& db, const Grid& grid, const std::vector<Summary>& summaries,
                   const fs::path& file) {
  Table table(db, "summary", summary_columns(grid), file);
  for (const Summary& s : summaries) {
    write(table, grid.settings, s.setting);
    write(table, grid.variants, s.variant);
    table.count(s.measures[kCost].n);
    for (std::size_t m = 0; m < grid.measures.size(); ++m) {
      const Distribution& d = s.measures[m];
      if (grid.measures[m].summary == Measure::Summary::kMean)
        write(table, d.n > 0 ? std::optional(d.mean) : std::nullopt);
      if (grid.measures[m].summary == Measure::Summary::kDistribution) write(table, d);
    }
    write(table, s.miss_rate);
    write(table, s.savings);
    write(table, s.dearer);
    write(table, s.slower);
    if (grid.bound) write(table, s.gap);
    if (grid.bound && grid.reference) write(table, s.gap_closed);
    if (grid.bound && grid.utilisation) write(table, s.utilisation);
    if (grid.expected_makespan) write(table, s.deviation);
    table.count(s.pareto);
    table.end_row();
  }
  table.finish();
}

}  // namespace

void write_results(const Grid& grid, const Rows& rows, const std::vector<Summary>& summaries,
                   const fs::path& folder) {
  const fs::path file = folder / "results.db", part = folder / "results.db.part";
  std::error_code ignored;
  fs::remove(part, ignored);
  try {
    SQLite::Database db = open_database(part);
    db.exec("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN");
    write_runs(db, grid, rows, folder / "runs.csv");
    write_summary(db, grid, summaries, folder / "summary.csv");
    db.exec("COMMIT");
  } catch (const SQLite::Exception& error) {
    fail_store(part, error);
  }
  put_in_place(part, file);
}

}  // namespace sim::sweep
