// A spot pool: one instance type in one Availability Zone.
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace sim::market {

struct Pool {
  std::string instance_type;
  std::string availability_zone;
  auto operator<=>(const Pool&) const = default;
};
// "p3.2xlarge/us-west-2b"; "p3-trace" if the zone is unknown.
std::string to_string(const Pool& pool);

// "us-west-2".
bool is_region(std::string_view text);
// "us-west-2b", "us-west-2-lax-1a".
bool is_zone(std::string_view text);
// A zone's: "us-east-1a" → "us-east-1", GCP's "us-east4-a" → "us-east4"; a name without a digit is
// its own. Part of the text given.
std::string_view region_of(std::string_view zone);
// "p3.2xlarge", "u-6tb1.metal"; need not be in the table of instance types.
bool is_instance_type(std::string_view text);

}  // namespace sim::market
