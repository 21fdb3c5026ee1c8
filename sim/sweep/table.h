// A table that is written as CSV (RFC 4180) and as an SQLite table at once, cell by cell.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/sweep/store.h"

struct sqlite3_stmt;

namespace sim::sweep {

class Table {
 public:
  // Begins FILE.part and the database's table of this name. Throws StoreError.
  Table(Database& db, const std::string& name, const std::vector<std::string>& columns,
        std::filesystem::path csv);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  void text(const std::string& value);
  void count(std::int64_t value);
  void number(double value);  // six digits after the point
  void nothing();
  void end_row();
  // Puts the CSV file in its place.
  void finish();

 private:
  void cell(const std::string& csv);

  Database& db_;
  std::filesystem::path file_, part_;
  std::ofstream out_;
  sqlite3_stmt* insert_ = nullptr;
  int at_ = 0;  // cells of this row
};

// As base::put_in_place. Throws StoreError.
void put_in_place(const std::filesystem::path& part, const std::filesystem::path& file);

}  // namespace sim::sweep
