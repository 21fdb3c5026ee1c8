#include "fakes/ec2/ebs_bandwidth.h"

#include <array>
#include <charconv>
#include <sstream>

#include "sim/kernel/check.h"

namespace fakes::ec2 {
namespace {

constexpr std::size_t kColumns = 6;

std::int64_t number(const std::string& text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  SIM_CHECK(read.ec == std::errc() && read.ptr == text.data() + text.size());
  return value;
}

EbsBandwidth read_row(const std::array<std::string, kColumns>& cells) {
  EbsBandwidth row{.support = cells[1]};
  if (cells[2].empty()) return row;
  row.baseline = EbsFigures{number(cells[2]), number(cells[3])};
  row.maximum = EbsFigures{number(cells[4]), number(cells[5])};
  return row;
}

}  // namespace

const std::map<std::string, EbsBandwidth, std::less<>>& ebs_bandwidths() {
  static const auto all = [] {
    std::map<std::string, EbsBandwidth, std::less<>> rows;
    std::istringstream lines{std::string(ebs_bandwidth_csv())};
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with('#') || line.starts_with("instance_type,")) continue;
      std::array<std::string, kColumns> cells;
      std::istringstream parts(line);
      for (std::string& cell : cells) std::getline(parts, cell, ',');
      rows.emplace(cells[0], read_row(cells));
    }
    return rows;
  }();
  return all;
}

}  // namespace fakes::ec2
