#include "sim/sweep/store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <memory>

namespace sim::sweep {
namespace {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

Statement prepare(const Database& db, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db.handle(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) db.fail();
  return Statement(statement);
}

std::string fingerprint_in(const Database& db) {
  const Statement found = prepare(db, "SELECT fingerprint FROM meta");
  if (sqlite3_step(found.get()) != SQLITE_ROW) return {};
  const auto* text = sqlite3_column_text(found.get(), 0);
  return text ? reinterpret_cast<const char*>(text) : "";
}

std::string table_of(const Grid& grid) {
  std::string columns;
  for (const Measure& measure : grid.measures) columns += ", " + measure.name + " INTEGER";
  return "CREATE TABLE IF NOT EXISTS meta(fingerprint TEXT NOT NULL);"
         "CREATE TABLE IF NOT EXISTS runs(run INTEGER PRIMARY KEY" +
         columns + ")";
}

}  // namespace

Database::Database(const std::filesystem::path& file) : name_(file.string()) {
  const int opened = sqlite3_open(name_.c_str(), &db_);
  if (opened != SQLITE_OK) {
    const std::string why = sqlite3_errmsg(db_);
    sqlite3_close(db_);
    throw StoreError(fmt::format("{}: cannot be opened: {}", name_, why));
  }
  sqlite3_busy_timeout(db_, 10'000);
}

Database::~Database() { sqlite3_close(db_); }

void Database::fail() const { throw StoreError(fmt::format("{}: {}", name_, sqlite3_errmsg(db_))); }

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

Store::Store(const std::filesystem::path& file, const Sweep& sweep) : db_(file), sweep_(sweep) {
  // What was kept outlasts the process; only what the last seconds kept may go with the machine.
  db_.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL");
  db_.execute(table_of(sweep.grid()));
  const std::string found = fingerprint_in(db_), expected = sweep.fingerprint().hash;
  if (found.empty()) db_.execute("INSERT INTO meta VALUES('" + expected + "')");
  if (!found.empty() && found != expected) {
    throw StoreError(fmt::format(
        "{}: holds rows of another sweep ({}, expected {}): remove it or choose another --out",
        file.string(), found, expected));
  }
}

void Store::add(const Rows& rows) {
  const std::size_t width = sweep_.grid().measures.size() + 1;
  std::string marks = "?";
  for (std::size_t i = 1; i < width; ++i) marks += ",?";
  db_.execute("BEGIN");
  {
    const Statement insert = prepare(db_, "INSERT OR REPLACE INTO runs VALUES(" + marks + ")");
    for (std::size_t at = 0; at < rows.cells().size(); at += width) {
      for (std::size_t i = 0; i < width; ++i)
        sqlite3_bind_int64(insert.get(), static_cast<int>(i + 1), rows.cells()[at + i]);
      if (sqlite3_step(insert.get()) != SQLITE_DONE) db_.fail();
      sqlite3_reset(insert.get());
    }
  }
  db_.execute("COMMIT");
}

Rows Store::rows() const {
  const Grid& grid = sweep_.grid();
  Rows rows(grid.measures.size());
  const Statement select = prepare(
      db_, fmt::format("SELECT * FROM runs WHERE run >= 0 AND run < {} ORDER BY run", grid.runs()));
  int state = SQLITE_ROW;
  while ((state = sqlite3_step(select.get())) == SQLITE_ROW) {
    const auto measures = rows.add(sqlite3_column_int64(select.get(), 0));
    for (std::size_t i = 0; i < measures.size(); ++i)
      measures[i] = sqlite3_column_int64(select.get(), static_cast<int>(i + 1));
  }
  if (state != SQLITE_DONE) db_.fail();
  return rows;
}

Rows read_parts(const std::vector<std::filesystem::path>& files, const Sweep& sweep) {
  const Grid& grid = sweep.grid();
  std::vector<std::vector<std::int64_t>> found(static_cast<std::size_t>(grid.runs()));
  for (const auto& file : files) {
    if (!std::filesystem::is_regular_file(file))
      throw StoreError(file.string() + ": found no such file, expected a part of the sweep");
    const Rows rows = Store(file, sweep).rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      auto& row = found[static_cast<std::size_t>(rows.run(i))];
      const auto measures = rows.measures(i);
      if (row.empty()) row.assign(measures.begin(), measures.end());
      if (!std::equal(row.begin(), row.end(), measures.begin()))
        throw StoreError(
            fmt::format("{}: run {} is not that of another part", file.string(), rows.run(i)));
    }
  }
  Rows all(grid.measures.size());
  for (std::size_t run = 0; run < found.size(); ++run) {
    if (found[run].empty())
      throw StoreError(
          fmt::format("run {} of {} and perhaps more are in none of the parts", run, grid.runs()));
    std::copy(found[run].begin(), found[run].end(),
              all.add(static_cast<std::int64_t>(run)).begin());
  }
  return all;
}

}  // namespace sim::sweep
