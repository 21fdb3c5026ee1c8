#include "sim/sweep/table.h"

#include <fmt/format.h>

#include "sim/sweep/store.h"

namespace sim::sweep {
namespace {

// In double quotes, those inside doubled: as CSV and as SQL's names have it.
std::string quoted(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) all += c == '"' ? "\"\"" : std::string(1, c);
  return all + "\"";
}

std::string csv_text(const std::string& text) {
  return text.find_first_of(",\"\r\n") == text.npos ? text : quoted(text);
}

// Makes the table, and what inserts a row.
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

}  // namespace

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

void put_in_place(const std::filesystem::path& part, const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::rename(part, file, error);
  if (error)
    throw StoreError(fmt::format("{}: cannot be written: {}", file.string(), error.message()));
}

}  // namespace sim::sweep
