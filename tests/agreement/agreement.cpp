#include "tests/agreement/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/agreement/cant_be_late_loop.h"
#include "tests/agreement/skynomad_loop.h"

namespace sim::agreement {
namespace {

constexpr double kHalfACent = 0.005;

// USD; empty: nothing to compare with.
std::optional<double> by_the_loop(const ticks::TickJob& job, const ticks::Pools& pools,
                                  const std::string& policy) {
  if (const auto cost = skynomad_cost(job, pools, policy)) return cost;
  if (pools.pools.size() > 1) return std::nullopt;
  const ticks::PoolWindow& pool = pools.pools.front();
  ticks::TickJob at_its_prices = job;
  at_its_prices.on_demand = ticks::on_demand_price(pool, job);
  if (pool.spot_price.nano > 0) at_its_prices.spot = pool.spot_price;
  const auto cost = cant_be_late_cost(at_its_prices, pool.spot, policy);
  return cost ? std::optional(cost->dollars()) : std::nullopt;
}

void compare(Agreement& row, double cost, double expected) {
  ++row.windows;
  const double difference = std::abs(cost - expected);
  row.equal += difference < kHalfACent;
  row.largest_usd =
      std::max(row.largest_usd,
               std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference);
}

Agreement agreement(const TickPlan& plan, std::size_t setting, const std::string& policy) {
  const ticks::TickJob& job = plan.settings[setting];
  Agreement row{.setting = describe(job), .policy = policy};
  for (const ticks::Window& window : plan.windows) {
    const double cost = cost_of(job, window.pools, policy).dollars();
    row.mean_usd += cost / static_cast<double>(plan.windows.size());
    if (const auto expected = by_the_loop(job, window.pools, policy)) compare(row, cost, *expected);
  }
  if (const auto means = plan.published.find(policy); means != plan.published.end())
    row.published_usd = means->second[means->second.size() > 1 ? setting : 0].dollars();
  return row;
}

}  // namespace

bool Agreement::agrees() const {
  if (published_usd && !(std::abs(mean_usd - *published_usd) <= kHalfACent)) return false;
  return equal == windows;
}

std::vector<Agreement> agreements(const TickPlan& plan) {
  std::vector<Agreement> rows;
  for (std::size_t setting = 0; setting < plan.settings.size(); ++setting)
    for (const std::string& policy : plan.policies) {
      if (policy == kOptimum) continue;
      Agreement row = agreement(plan, setting, policy);
      if (row.windows > 0 || row.published_usd) rows.push_back(std::move(row));
    }
  return rows;
}

}  // namespace sim::agreement
