#include "sim/traces/price_products.h"

#include <fmt/format.h>

#include <utility>

namespace sim::traces {

market::PriceHistory linux_prices(ProductPrices prices, const TraceFile& file,
                                  std::vector<std::string>& warnings) {
  if (prices.classic.pools.empty() && prices.vpc.pools.empty() && !prices.left_out.empty())
    fail_file(file, "only prices of " + *prices.left_out.begin(), "prices of Linux/UNIX");
  std::string first;
  std::size_t more = 0;
  for (auto& [pool, points] : prices.vpc.pools) {
    auto& at = prices.classic.pools[pool];
    market::put_in_order(at);
    market::put_in_order(points);
    if (!at.empty() && at != points)
      first.empty() ? void(first = market::to_string(pool)) : void(++more);
    at = std::move(points);
  }
  if (!first.empty())
    warnings.push_back(
        fmt::format("{}: {}: warning: found prices of two products, {} and {}, expected one: those "
                    "of {} count{}",
                    file.path.string(), first, kLinux, kLinuxVpc, kLinuxVpc,
                    more > 0 ? fmt::format(" ({} more pools have both)", more) : ""));
  return std::move(prices.classic);
}

}  // namespace sim::traces
