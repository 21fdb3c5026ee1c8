// A table that is written as CSV (RFC 4180) and as an SQLite table at once, cell by cell.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sim::sweep {

// Throws SQLite::Exception.
class Table {
 public:
  // Begins FILE.part and the database's table of this name.
  Table(SQLite::Database& db, const std::string& name, const std::vector<std::string>& columns,
        std::filesystem::path csv);

  void text(const std::string& value);
  void count(std::int64_t value);
  void number(double value);  // six digits after the point
  void nothing();
  void end_row();
  // Puts the CSV file in its place. Throws StoreError.
  void finish();

 private:
  void cell(const std::string& csv);

  std::filesystem::path file_, part_;
  std::ofstream out_;
  SQLite::Statement insert_;
  int at_ = 0;  // cells of this row
};

// Renames FILE.part to FILE. Throws StoreError.
void put_in_place(const std::filesystem::path& part, const std::filesystem::path& file);

}  // namespace sim::sweep
