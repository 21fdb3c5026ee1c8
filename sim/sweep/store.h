// Where a sweep keeps its rows while it runs, so that one that was stopped goes on, and parts that
// ran elsewhere are put together: an SQLite file of whole blocks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
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
  // Opens or makes the file. Throws StoreError when its rows are of another sweep.
  Store(const std::filesystem::path& file, const Sweep& sweep);

  // Keeps the rows of whole blocks; when it returns they outlast the process, however it
  // ends.
  void add(const Rows& rows);
  // All rows, in the order of their runs.
  Rows rows() const;

 private:
  Database db_;
  const Sweep& sweep_;
};

// The rows of several files put together, in the order of their runs. Throws StoreError when a run
// is in none of them, or differs between two.
Rows read_parts(const std::vector<std::filesystem::path>& files, const Sweep& sweep);

}  // namespace sim::sweep
