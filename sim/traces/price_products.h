// The products that AWS has prices of. Prices of Windows, SUSE and Red Hat are left out.
// EC2-Classic and VPC had prices of their own: where a history has both of a pool, VPC's count,
// because an instance of today runs in one.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/market/price_history.h"
#include "sim/traces/trace_file.h"

namespace sim::market {

inline constexpr std::string_view kLinux = "Linux/UNIX", kLinuxVpc = "Linux/UNIX (Amazon VPC)";
inline constexpr std::string_view kExpectedProduct = "\"Linux/UNIX\" or another";

// Prices of both kinds, and the names of the products whose prices were left out.
struct ProductPrices {
  PriceHistory classic, vpc;
  std::set<std::string> left_out;
};

// The prices that count. A warning says where both kinds are there with different prices. Throws
// TraceError where there are only prices that were left out.
PriceHistory linux_prices(ProductPrices prices, const TraceFile& file,
                          std::vector<std::string>& warnings);

}  // namespace sim::market
