#include "fakes/ec2/network/interface_limits.h"

#include <map>
#include <string>

#include "fakes/ec2/builtin_table.h"

namespace fakes::ec2 {

InterfaceLimits interface_limits(std::string_view instance_type) {
  static const auto all = [] {
    std::map<std::string, InterfaceLimits, std::less<>> rows;
    for (const auto& cells : rows_of(interface_limits_csv()))
      rows[cells.at(0)] = {.interfaces = static_cast<int>(number_in(cells.at(1))),
                           .ipv4_per_interface = static_cast<int>(number_in(cells.at(2)))};
    return rows;
  }();
  const auto found = all.find(instance_type);
  return found == all.end() ? InterfaceLimits{} : found->second;
}

}  // namespace fakes::ec2
