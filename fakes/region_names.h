// The names of AWS's regions in the price list, in bills and in messages of alarms.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fakes {

// "US West (Oregon)" for us-west-2. A region without a known name has its code.
std::string region_name(std::string_view region);
// The beginning of the region's usage types: "USW2-" for us-west-2, empty for us-east-1.
std::string_view usage_prefix(std::string_view region);
// The codes of all regions with a known name, sorted.
std::vector<std::string> all_region_codes();
// True for a region that an account must enable first (AWS Account Management, "Enable or disable
// AWS Regions in your account"): those since March 2019.
bool needs_opt_in(std::string_view region);

}  // namespace fakes
