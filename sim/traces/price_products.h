// The products in AWS's price history. Prices of Windows, SUSE and Red Hat are omitted. EC2-Classic
// and VPC had separate prices. If a history has both for a pool, VPC's prices count, because an
// instance of today runs in a VPC.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/market/price_history.h"
#include "sim/traces/trace_file.h"

namespace sim::traces {

inline constexpr std::string_view kLinux = "Linux/UNIX", kLinuxVpc = "Linux/UNIX (Amazon VPC)";
inline constexpr std::string_view kExpectedProduct = "\"Linux/UNIX\" or another";

// The prices of both kinds, and the names of the products whose prices were omitted.
struct ProductPrices {
  market::PriceHistory classic, vpc;
  std::set<std::string> left_out;
};

// Returns the prices that count. A warning names the place where the two kinds have different
// prices. Throws TraceError if all prices were omitted.
market::PriceHistory linux_prices(ProductPrices prices, const TraceFile& file,
                                  std::vector<std::string>& warnings);

}  // namespace sim::traces
