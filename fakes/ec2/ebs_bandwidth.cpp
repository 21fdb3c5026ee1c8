#include "fakes/ec2/ebs_bandwidth.h"

#include <vector>

#include "fakes/ec2/builtin_table.h"

namespace fakes::ec2 {
namespace {

EbsBandwidth read_row(const std::vector<std::string>& cells) {
  EbsBandwidth row{.support = cells.at(1)};
  if (cells.size() < 6 || cells[2].empty()) return row;
  row.baseline = EbsFigures{number_in(cells[2]), number_in(cells[3])};
  row.maximum = EbsFigures{number_in(cells[4]), number_in(cells[5])};
  return row;
}

}  // namespace

const std::map<std::string, EbsBandwidth, std::less<>>& ebs_bandwidths() {
  static const auto all = [] {
    std::map<std::string, EbsBandwidth, std::less<>> rows;
    for (const auto& cells : rows_of(ebs_bandwidth_csv()))
      rows.emplace(cells.at(0), read_row(cells));
    return rows;
  }();
  return all;
}

}  // namespace fakes::ec2
