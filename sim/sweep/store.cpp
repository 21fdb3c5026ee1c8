#include "sim/sweep/store.h"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sim::sweep {
namespace {

std::string fingerprint_in(const SQLite::Database& db) {
  SQLite::Statement found(db, "SELECT fingerprint FROM meta");
  return found.executeStep() ? found.getColumn(0).getString() : "";
}

std::string table_of(const Grid& grid) {
  std::string columns;
  for (const Measure& measure : grid.measures) columns += ", " + measure.name + " INTEGER";
  return "CREATE TABLE IF NOT EXISTS meta(fingerprint TEXT NOT NULL);"
         "CREATE TABLE IF NOT EXISTS lines(line TEXT NOT NULL);"
         "CREATE TABLE IF NOT EXISTS runs(run INTEGER PRIMARY KEY" +
         columns + ")";
}

// Lines that describe a sweep, for messages.
std::vector<std::string> lines_of(const Grid& grid) {
  std::vector<std::string> lines;
  const auto add = [&](const char* what, const Axis& axis) {
    for (std::int64_t i = 0; i < axis.size(); ++i)
      lines.push_back(fmt::format("{} {}", what, describe(axis, i)));
  };
  add("setting", grid.settings);
  add("variant", grid.variants);
  for (const CaseGroup& group : grid.groups)
    lines.push_back(fmt::format("{} cases of {}", group.cases.size(), group.name));
  lines.push_back(fmt::format("{} cases", grid.cases.size()));
  return lines;
}

void keep_lines(SQLite::Database& db, const Grid& grid) {
  SQLite::Statement insert(db, "INSERT INTO lines VALUES(?)");
  for (const std::string& line : lines_of(grid)) {
    insert.bind(1, line);
    insert.exec();
    insert.reset();
  }
}

// "; then: setting work=10h; now: setting work=20h". Older stores have no such lines.
std::string what_changed(const SQLite::Database& db, const Grid& grid) {
  constexpr std::size_t kMostTold = 4;
  std::vector<std::string> then;
  SQLite::Statement select(db, "SELECT line FROM lines");
  while (select.executeStep()) then.push_back(select.getColumn(0).getString());
  if (then.empty()) return "";
  const std::vector<std::string> now = lines_of(grid);
  std::vector<std::string> told;
  const auto tell = [&](const char* when, const std::vector<std::string>& some,
                        const std::vector<std::string>& others) {
    for (const std::string& line : some)
      if (std::ranges::find(others, line) == others.end()) told.push_back(when + line);
  };
  tell("then: ", then, now);
  tell("now: ", now, then);
  if (told.empty()) return "; its traces, prices or rules differ";
  if (told.size() > kMostTold) told.resize(kMostTold), told.emplace_back("…");
  return fmt::format("; {}", fmt::join(told, "; "));
}

// Checks the file before a store opens it, because opening would create tables in any file.
void check_part(const std::filesystem::path& file, const Sweep& sweep) {
  if (!std::filesystem::is_regular_file(file))
    throw StoreError(file.string() + ": found no such file, expected a part of the sweep");
  const std::string expected = sweep.fingerprint().hash;
  std::string found;
  try {
    found = fingerprint_in(SQLite::Database(file.string(), SQLite::OPEN_READONLY));
  } catch (const SQLite::Exception& error) {
    throw StoreError(fmt::format(
        "{}: found no part of a sweep ({}), expected a part-*.db of `spotsim sweep --shard`",
        file.string(), error.what()));
  }
  if (found != expected)
    throw StoreError(fmt::format("{}: has rows of another sweep ({}, expected {})", file.string(),
                                 found, expected));
}

}  // namespace

SQLite::Database open_database(const std::filesystem::path& file) {
  constexpr int kBusyMs = 10'000;
  try {
    return SQLite::Database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyMs);
  } catch (const SQLite::Exception& error) {
    throw StoreError(fmt::format("{}: cannot be opened: {}", file.string(), error.what()));
  }
}

void fail_store(const std::filesystem::path& file, const SQLite::Exception& error) {
  throw StoreError(fmt::format("{}: {}", file.string(), error.what()));
}

Store::Store(const std::filesystem::path& file, const Sweep& sweep)
    : file_(file), db_(open_database(file)), sweep_(sweep) {
  const std::string expected = sweep.fingerprint().hash;
  std::string found;
  try {
    // Stored rows survive the end of the process. A crash of the machine may lose the last seconds.
    db_.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL");
    db_.exec(table_of(sweep.grid()));
    found = fingerprint_in(db_);
    if (found.empty()) {
      db_.exec("INSERT INTO meta VALUES('" + expected + "')");
      keep_lines(db_, sweep.grid());
    }
  } catch (const SQLite::Exception& error) {
    fail_store(file, error);
  }
  if (!found.empty() && found != expected) {
    throw StoreError(
        fmt::format("{}: has rows of another sweep ({}, expected {}){}: --force replaces them, "
                    "another --out keeps both",
                    file.string(), found, expected, what_changed(db_, sweep.grid())));
  }
}

void forget_other_sweep(const std::filesystem::path& file, const Sweep& sweep) {
  if (!std::filesystem::is_regular_file(file)) return;
  std::string found;
  try {
    found = fingerprint_in(SQLite::Database(file.string(), SQLite::OPEN_READONLY));
  } catch (const SQLite::Exception& error) {
    fail_store(file, error);
  }
  if (found.empty() || found == sweep.fingerprint().hash) return;
  for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + part);
}

void Store::add(const Rows& rows) try {
  const std::size_t width = sweep_.grid().measures.size() + 1;
  std::string marks = "?";
  for (std::size_t i = 1; i < width; ++i) marks += ",?";
  SQLite::Transaction transaction(db_);
  SQLite::Statement insert(db_, "INSERT OR REPLACE INTO runs VALUES(" + marks + ")");
  for (std::size_t at = 0; at < rows.cells().size(); at += width) {
    for (std::size_t i = 0; i < width; ++i)
      insert.bind(static_cast<int>(i + 1), rows.cells()[at + i]);
    insert.exec();
    insert.reset();
  }
  transaction.commit();
} catch (const SQLite::Exception& error) {
  fail_store(file_, error);
}

Rows Store::rows() const try {
  const Grid& grid = sweep_.grid();
  Rows rows(grid.measures.size());
  SQLite::Statement select(
      db_, fmt::format("SELECT * FROM runs WHERE run >= 0 AND run < {} ORDER BY run", grid.runs()));
  while (select.executeStep()) {
    const auto measures = rows.add(select.getColumn(0).getInt64());
    for (std::size_t i = 0; i < measures.size(); ++i)
      measures[i] = select.getColumn(static_cast<int>(i + 1)).getInt64();
  }
  return rows;
} catch (const SQLite::Exception& error) {
  fail_store(file_, error);
}

Rows read_parts(const std::vector<std::filesystem::path>& files, const Sweep& sweep) {
  const Grid& grid = sweep.grid();
  std::vector<std::vector<std::int64_t>> found(static_cast<std::size_t>(grid.runs()));
  for (const auto& file : files) {
    check_part(file, sweep);
    const Rows rows = Store(file, sweep).rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      auto& row = found[static_cast<std::size_t>(rows.run(i))];
      const auto measures = rows.measures(i);
      if (row.empty()) row.assign(measures.begin(), measures.end());
      if (!std::equal(row.begin(), row.end(), measures.begin()))
        throw StoreError(fmt::format("{}: run {} differs from the same run in another part",
                                     file.string(), rows.run(i)));
    }
  }
  Rows all(grid.measures.size());
  for (std::size_t run = 0; run < found.size(); ++run) {
    if (found[run].empty())
      throw StoreError(
          fmt::format("found run {} of {}, and perhaps more, in none of the parts, expected all "
                      "parts 0/n to (n-1)/n",
                      run, grid.runs()));
    std::copy(found[run].begin(), found[run].end(),
              all.add(static_cast<std::int64_t>(run)).begin());
  }
  return all;
}

}  // namespace sim::sweep
