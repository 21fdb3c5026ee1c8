// Where a sweep keeps its rows while it runs, so that one that was stopped goes on, and parts that
// ran elsewhere are put together: an SQLite file of whole blocks.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/sweep/grid.h"

namespace sim::sweep {

// A file that is damaged, belongs to another sweep or cannot be written; what() names it.
class StoreError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Opens or makes an SQLite file. Throws StoreError.
SQLite::Database open_database(const std::filesystem::path& file);
// What SQLite says of a file, as a StoreError.
[[noreturn]] void fail_store(const std::filesystem::path& file, const SQLite::Exception& error);

class Store {
 public:
  // Opens or makes the file. Throws StoreError when its rows are of another sweep; what() names
  // the differences.
  Store(const std::filesystem::path& file, const Sweep& sweep);

  // Keeps the rows of whole blocks; when it returns they outlast the process, however it ends.
  // Throws StoreError.
  void add(const Rows& rows);
  // All rows, in the order of their runs. Throws StoreError.
  Rows rows() const;

 private:
  std::filesystem::path file_;
  mutable SQLite::Database db_;
  const Sweep& sweep_;
};

// Removes a store whose rows are of another sweep; leaves every other file. Throws StoreError.
void forget_other_sweep(const std::filesystem::path& file, const Sweep& sweep);

// The rows of several files put together, in the order of their runs. Throws StoreError when a run
// is in none of them, or differs between two.
Rows read_parts(const std::vector<std::filesystem::path>& files, const Sweep& sweep);

}  // namespace sim::sweep
