// Where a sweep keeps its rows while it runs, so that one that was stopped goes on, and parts that
// ran elsewhere are put together: an SQLite file of whole blocks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <vector>

#include "sim/sweep/grid.h"

struct sqlite3;

namespace sim::sweep {

// A file that is damaged, belongs to another sweep or cannot be written; what() names it.
class StoreError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An open SQLite file; for store.cpp and results.cpp.
class Database {
 public:
  explicit Database(const std::filesystem::path& file);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const std::string& sql);
  sqlite3* handle() const { return db_; }
  [[noreturn]] void fail() const;

 private:
  std::string name_;
  sqlite3* db_ = nullptr;
};

class Store {
 public:
  // Opens or makes the file. Throws StoreError when its rows are of another grid.
  Store(const std::filesystem::path& file, const std::string& fingerprint);

  // Keeps the rows of whole blocks; when it returns they outlast the process, however it
  // ends.
  void add(const std::vector<Row>& rows);
  // All rows, in order of setting, window and policy.
  std::vector<Row> rows() const;

 private:
  Database db_;
};

}  // namespace sim::sweep
