#include "fakes/ec2/builtin_table.h"

#include <charconv>
#include <sstream>

#include "sim/kernel/check.h"

namespace fakes::ec2 {

std::vector<std::vector<std::string>> rows_of(std::string_view csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines{std::string(csv)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#') || line.starts_with("instance_type,")) continue;
    auto& cells = rows.emplace_back();
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
  }
  return rows;
}

std::int64_t number_in(const std::string& cell) {
  std::int64_t value = 0;
  const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  SIM_CHECK(read.ec == std::errc() && read.ptr == cell.data() + cell.size());
  return value;
}

}  // namespace fakes::ec2
