#include "sim/sweep/table.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <system_error>

#include "base/whole_file.h"

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

}  // namespace

Table::Table(Database& db, const std::string& name, const std::vector<std::string>& columns,
             std::filesystem::path csv)
    : db_(db), file_(std::move(csv)), part_(file_.string() + ".part") {
  std::string names, header, marks;
  for (const std::string& column : columns) {
    names += (names.empty() ? "" : ",") + quoted(column);
    header += (header.empty() ? "" : ",") + csv_text(column);
    marks += marks.empty() ? "?" : ",?";
  }
  db_.execute("CREATE TABLE " + name + "(" + names + ")");
  const std::string sql = "INSERT INTO " + name + " VALUES(" + marks + ")";
  if (sqlite3_prepare_v2(db_.handle(), sql.c_str(), -1, &insert_, nullptr) != SQLITE_OK) db_.fail();
  out_.open(part_, std::ios::binary | std::ios::trunc);
  out_ << header << '\n';
}

Table::~Table() { sqlite3_finalize(insert_); }

void Table::cell(const std::string& csv) { out_ << (++at_ > 1 ? "," : "") << csv; }

void Table::text(const std::string& value) {
  cell(csv_text(value));
  sqlite3_bind_text(insert_, at_, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
}

void Table::count(std::int64_t value) {
  cell(std::to_string(value));
  sqlite3_bind_int64(insert_, at_, value);
}

void Table::number(double value) {
  cell(fmt::format("{:.6f}", value));
  sqlite3_bind_double(insert_, at_, value);
}

void Table::nothing() {
  cell("");
  sqlite3_bind_null(insert_, at_);
}

void Table::end_row() {
  out_ << '\n';
  if (sqlite3_step(insert_) != SQLITE_DONE) db_.fail();
  sqlite3_reset(insert_);
  at_ = 0;
}

void Table::finish() {
  out_.close();
  if (!out_) throw StoreError(file_.string() + ": cannot be written");
  put_in_place(part_, file_);
}

void put_in_place(const std::filesystem::path& part, const std::filesystem::path& file) {
  try {
    base::put_in_place(part, file);
  } catch (const std::system_error& error) {
    throw StoreError(fmt::format("{}: cannot be written: {}", file.string(), error.what()));
  }
}

}  // namespace sim::sweep
