// The names of AWS's regions in the price list, in bills and in messages of alarms.
#pragma once

#include <string>
#include <string_view>

namespace fakes {

// "US West (Oregon)" for us-west-2. A region without a known name has its code.
std::string region_name(std::string_view region);
// The beginning of the region's usage types: "USW2-" for us-west-2, empty for us-east-1.
std::string_view usage_prefix(std::string_view region);

}  // namespace fakes
