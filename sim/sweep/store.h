// Stores a sweep's rows while it runs, in an SQLite file of complete blocks. A stopped sweep
// continues from it, and parts that ran on several machines are merged from such files.
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

// The file is damaged, belongs to another sweep or cannot be written; what() names it.
class StoreError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Opens or creates an SQLite file. Throws StoreError.
SQLite::Database open_database(const std::filesystem::path& file);
// Throws SQLite's message about a file as a StoreError.
[[noreturn]] void fail_store(const std::filesystem::path& file, const SQLite::Exception& error);

class Store {
 public:
  // Opens or creates the file. Throws StoreError if its rows belong to another sweep; what() names
  // the differences.
  Store(const std::filesystem::path& file, const Sweep& sweep);

  // Stores the rows of complete blocks. When it returns, they survive any end of the process.
  // Throws StoreError.
  void add(const Rows& rows);
  // All rows, in the order of their runs. Throws StoreError.
  Rows rows() const;

 private:
  std::filesystem::path file_;
  mutable SQLite::Database db_;
  const Sweep& sweep_;
};

// Deletes a store of another sweep, and leaves any other file. Throws StoreError.
void forget_other_sweep(const std::filesystem::path& file, const Sweep& sweep);

// Merges the rows of several files, in the order of their runs. Throws StoreError if a run is
// missing or differs between two files.
Rows read_parts(const std::vector<std::filesystem::path>& files, const Sweep& sweep);

}  // namespace sim::sweep
