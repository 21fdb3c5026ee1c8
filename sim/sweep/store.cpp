#include "sim/sweep/store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <memory>

namespace sim::sweep {
namespace {

// The columns, in order; a row of the table is a Row.
constexpr std::array kColumns{&Row::setting,    &Row::window,         &Row::policy,
                              &Row::finished,   &Row::deadline_met,   &Row::cost_nano_usd,
                              &Row::makespan,   &Row::on_demand_work, &Row::spot_work,
                              &Row::changeover, &Row::checkpoint,     &Row::lost,
                              &Row::waiting,    &Row::launches,       &Row::interruptions};
constexpr const char* kCreate =
    "CREATE TABLE IF NOT EXISTS meta(fingerprint TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS runs(setting INTEGER, window INTEGER, policy INTEGER, "
    "finished INTEGER, deadline_met INTEGER, cost_nano_usd INTEGER, makespan_ns INTEGER, "
    "on_demand_work_ns INTEGER, spot_work_ns INTEGER, changeover_ns INTEGER, "
    "checkpoint_ns INTEGER, lost_ns INTEGER, waiting_ns INTEGER, launches INTEGER, "
    "interruptions INTEGER, PRIMARY KEY(setting, window, policy)) WITHOUT ROWID;";

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

Store::Store(const std::filesystem::path& file, const std::string& fingerprint) : db_(file) {
  // What was kept outlasts the process; only what the last seconds kept may go with the machine.
  db_.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL");
  db_.execute(kCreate);
  const std::string found = fingerprint_in(db_);
  if (found.empty()) db_.execute("INSERT INTO meta VALUES('" + fingerprint + "')");
  if (!found.empty() && found != fingerprint) {
    throw StoreError(fmt::format(
        "{}: holds rows of another sweep ({}, expected {}): remove it or choose another --out",
        file.string(), found, fingerprint));
  }
}

void Store::add(const std::vector<Row>& rows) {
  std::string marks = "?";
  for (std::size_t i = 1; i < kColumns.size(); ++i) marks += ",?";
  db_.execute("BEGIN");
  {
    const Statement insert = prepare(db_, "INSERT OR REPLACE INTO runs VALUES(" + marks + ")");
    for (const Row& row : rows) {
      for (std::size_t i = 0; i < kColumns.size(); ++i)
        sqlite3_bind_int64(insert.get(), static_cast<int>(i + 1), row.*kColumns[i]);
      if (sqlite3_step(insert.get()) != SQLITE_DONE) db_.fail();
      sqlite3_reset(insert.get());
    }
  }
  db_.execute("COMMIT");
}

std::vector<Row> Store::rows() const {
  std::vector<Row> rows;
  const Statement select = prepare(db_, "SELECT * FROM runs ORDER BY setting, window, policy");
  int state = SQLITE_ROW;
  while ((state = sqlite3_step(select.get())) == SQLITE_ROW) {
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < kColumns.size(); ++i)
      row.*kColumns[i] = sqlite3_column_int64(select.get(), static_cast<int>(i));
  }
  if (state != SQLITE_DONE) db_.fail();
  return rows;
}

}  // namespace sim::sweep
