// A spot pool: one instance type in one Availability Zone.
#pragma once

#include <compare>
#include <string>

namespace sim::market {

struct Pool {
  std::string instance_type;
  std::string availability_zone;
  auto operator<=>(const Pool&) const = default;
};
// "p3.2xlarge/us-west-2b"; "p3-trace" where no zone is known.
std::string to_string(const Pool& pool);

}  // namespace sim::market
