#include "sim/sweep/results.h"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <fstream>
#include <system_error>

#include "base/files/whole_file.h"
#include "sim/sweep/store.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;
using Columns = std::vector<std::string>;

// In double quotes, with inner quotes doubled, as in CSV and in SQL names.
std::string quoted(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) all += c == '"' ? "\"\"" : std::string(1, c);
  return all + "\"";
}

std::string csv_text(const std::string& text) {
  return text.find_first_of(",\"\r\n") == text.npos ? text : quoted(text);
}

// Creates the table and returns the statement that inserts a row.
SQLite::Statement created(SQLite::Database& db, const std::string& name,
                          const std::vector<std::string>& columns) {
  std::string names, marks;
  for (const std::string& column : columns) {
    names += (names.empty() ? "" : ",") + quoted(column);
    marks += marks.empty() ? "?" : ",?";
  }
  db.exec("CREATE TABLE " + name + "(" + names + ")");
  return {db, "INSERT INTO " + name + " VALUES(" + marks + ")"};
}

// Like base::put_in_place. Throws StoreError.
void put_in_place(const std::filesystem::path& part, const std::filesystem::path& file) {
  try {
    base::put_in_place(part, file);
  } catch (const std::system_error& error) {
    throw StoreError(fmt::format("{}: cannot be written: {}", file.string(), error.what()));
  }
}

// A table that is written cell by cell, as CSV (RFC 4180) and as an SQLite table at the same time.
// Throws SQLite::Exception.
class Table {
 public:
  // Begins FILE.part and the database's table of this name.
  Table(SQLite::Database& db, const std::string& name, const std::vector<std::string>& columns,
        std::filesystem::path csv);

  void text(const std::string& value);
  void count(std::int64_t value);
  void number(double value);  // six digits after the point
  void nothing();
  void end_row();
  // Renames the CSV file to its final name. Throws StoreError.
  void finish();

 private:
  void cell(const std::string& csv);

  std::filesystem::path file_, part_;
  std::ofstream out_;
  SQLite::Statement insert_;
  int at_ = 0;  // cells written in this row
};

Table::Table(SQLite::Database& db, const std::string& name, const std::vector<std::string>& columns,
             std::filesystem::path csv)
    : file_(std::move(csv)),
      part_(file_.string() + ".part"),
      out_(part_, std::ios::binary | std::ios::trunc),
      insert_(created(db, name, columns)) {
  for (std::size_t i = 0; i < columns.size(); ++i) out_ << (i ? "," : "") << csv_text(columns[i]);
  out_ << '\n';
}

void Table::cell(const std::string& csv) { out_ << (++at_ > 1 ? "," : "") << csv; }

void Table::text(const std::string& value) {
  cell(csv_text(value));
  insert_.bind(at_, value);
}

void Table::count(std::int64_t value) {
  cell(std::to_string(value));
  insert_.bind(at_, value);
}

void Table::number(double value) {
  cell(fmt::format("{:.6f}", value));
  insert_.bind(at_, value);
}

void Table::nothing() {
  cell("");
  insert_.bind(at_);
}

void Table::end_row() {
  out_ << '\n';
  insert_.exec();
  insert_.reset();
  at_ = 0;
}

void Table::finish() {
  out_.close();
  if (!out_) throw StoreError(file_.string() + ": cannot be written");
  put_in_place(part_, file_);
}

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
  for (const double value : {d.mean, d.sd, d.p5, d.p50, d.p95})
    d.n > 0 ? table.number(value) : table.nothing();
  d.half_width_95 ? table.number(*d.half_width_95) : table.nothing();
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
  if (!grid.groups.empty()) add(columns, {"market", "markets"});
  add(columns, grid.variants.columns);
  add(columns, {"rank", "ci95_from", "clusters", "n", "finished"});
  for (const Measure& measure : grid.measures) {
    if (measure.summary == Measure::Summary::kMean) columns.push_back(measure.column());
    if (measure.summary == Measure::Summary::kDistribution)
      add_distribution(columns, measure.column());
  }
  add(columns, {"late_share", "savings"});
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
    if (!grid.groups.empty()) {
      table.text(s.group ? grid.groups[*s.group].name : "all");
      table.count(s.group ? 1 : std::ssize(grid.groups));
    }
    write(table, grid.variants, s.variant);
    s.rank ? table.count(*s.rank) : table.nothing();
    table.text(name_of(s.interval));
    table.count(s.clusters);
    table.count(s.measures[kCost].n);
    table.count(s.finished);
    for (std::size_t m = 0; m < grid.measures.size(); ++m) {
      const Distribution& d = s.measures[m];
      if (grid.measures[m].summary == Measure::Summary::kMean)
        write(table, d.n > 0 ? std::optional(d.mean) : std::nullopt);
      if (grid.measures[m].summary == Measure::Summary::kDistribution) write(table, d);
    }
    write(table, s.late_share);
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
