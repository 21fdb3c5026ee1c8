#include "sim/serve/journal.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <boost/beast/http/field.hpp>

namespace sim::serve {
namespace {

namespace http = boost::beast::http;

// The headers as lines "Name: value".
std::string headers_of(const fakes::Request& request) {
  std::string text;
  for (const auto& field : request) {
    text.append(field.name_string().data(), field.name_string().size());
    text += ": ";
    text.append(field.value().data(), field.value().size());
    text += "\r\n";
  }
  return text;
}

void set_headers(fakes::Request& request, std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find("\r\n"), colon = text.find(": ");
    if (end == std::string_view::npos || colon > end) throw std::runtime_error("damaged headers");
    const std::string_view name = text.substr(0, colon),
                           value = text.substr(colon + 2, end - colon - 2);
    request.insert({name.data(), name.size()}, {value.data(), value.size()});
    text.remove_prefix(end + 2);
  }
}

JournalEntry read_entry(SQLite::Statement& row) {
  JournalEntry entry{Time{Duration{row.getColumn(0).getInt64()}}, {}, row.getColumn(5).getString()};
  const std::string method = row.getColumn(1).getString();
  if (method.empty()) return entry;
  fakes::Request& request = entry.request;
  request.method_string(method);
  request.target(row.getColumn(2).getString());
  set_headers(request, row.getColumn(3).getString());
  request.body() = row.getColumn(4).getString();
  return entry;
}

}  // namespace

Journal::Journal(const std::filesystem::path& file, const std::string& world) : file_(file) {
  std::string found;
  try {
    db_ = std::make_unique<SQLite::Database>(file.string(),
                                             SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    db_->exec(
        "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
        "PRAGMA cache_size=-512;"
        "BEGIN IMMEDIATE;"
        "CREATE TABLE IF NOT EXISTS world(name TEXT NOT NULL);"
        "CREATE TABLE IF NOT EXISTS calls(id INTEGER PRIMARY KEY, at INTEGER NOT NULL, "
        "method TEXT NOT NULL, target BLOB NOT NULL, headers BLOB NOT NULL, body BLOB NOT NULL, "
        "fingerprint TEXT NOT NULL);");
    SQLite::Statement named(*db_, "SELECT name FROM world");
    if (named.executeStep()) found = named.getColumn(0).getString();
    named.reset();
    if (found.empty()) {
      SQLite::Statement name(*db_, "INSERT INTO world VALUES(?)");
      name.bind(1, world);
      name.exec();
      found = world;
    }
    db_->exec("COMMIT");
    insert_ = std::make_unique<SQLite::Statement>(
        *db_, "INSERT INTO calls VALUES(NULL, ?, ?, ?, ?, ?, ?)");
  } catch (const SQLite::Exception& error) {
    if (error.getErrorCode() == 5)  // SQLITE_BUSY
      throw JournalError(file.string() +
                         ": found another `spotsim serve` that uses it, expected none (--state)");
    fail(error);
  }
  if (found != world)
    throw JournalError(fmt::format(
        "{}: found the state of another world ({}, expected {}): the scenario, its files, --set, "
        "--seed or --profile differ. Remove it or choose another --state",
        file.string(), found, world));
}

Journal::~Journal() = default;

void Journal::fail(const std::exception& error) const {
  throw JournalError(
      fmt::format("{}: found an error ({}), expected a file of `spotsim serve "
                  "--state`, or none",
                  file_.string(), error.what()));
}

void Journal::each(const std::function<void(const JournalEntry&)>& hear) try {
  SQLite::Statement rows(
      *db_, "SELECT at, method, target, headers, body, fingerprint FROM calls ORDER BY id");
  while (rows.executeStep()) hear(read_entry(rows));
} catch (const JournalError&) {
  throw;
} catch (const std::exception& error) {
  fail(error);
}

void Journal::add(const JournalEntry& entry) try {
  if (!open_) db_->exec("BEGIN");
  open_ = true;
  const auto& request = entry.request;
  const bool clock =
      entry.request.method() == http::verb::unknown && entry.request.method_string().empty();
  const std::string target(request.target().data(), request.target().size());
  const std::string headers = headers_of(request);
  insert_->reset();
  insert_->bind(1, static_cast<std::int64_t>(entry.at.time_since_epoch().count()));
  insert_->bind(2, clock ? "" : std::string(request.method_string()));
  insert_->bind(3, target.data(), static_cast<int>(target.size()));
  insert_->bind(4, headers.data(), static_cast<int>(headers.size()));
  insert_->bind(5, request.body().data(), static_cast<int>(request.body().size()));
  insert_->bind(6, entry.fingerprint);
  insert_->exec();
} catch (const SQLite::Exception& error) {
  fail(error);
}

void Journal::sync() try {
  if (!open_) return;
  db_->exec("COMMIT");
  open_ = false;
} catch (const SQLite::Exception& error) {
  fail(error);
}

void Journal::clear() try {
  if (!open_) db_->exec("BEGIN");
  open_ = true;
  db_->exec("DELETE FROM calls");
  sync();
} catch (const SQLite::Exception& error) {
  fail(error);
}

}  // namespace sim::serve
