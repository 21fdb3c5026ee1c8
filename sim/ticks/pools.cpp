#include "sim/ticks/pools.h"

#include <algorithm>

namespace sim::sweep {
namespace {

// "us-east-1a" → "us-east-1".
std::string_view region_of(std::string_view zone) {
  const std::size_t digit = zone.find_last_of("0123456789");
  return digit == zone.npos ? zone : zone.substr(0, digit + 1);
}

}  // namespace

Duration Pools::longest_move() const {
  Duration longest{};
  for (const PoolMove& move : moves) longest = std::max(longest, move.time);
  return longest;
}

std::vector<PoolMove> moves_between(const std::vector<PoolWindow>& pools, const MoveCosts& costs) {
  std::vector<PoolMove> moves;
  for (const PoolWindow& from : pools)
    for (const PoolWindow& to : pools) {
      const bool near = region_of(from.name) == region_of(to.name);
      moves.push_back(from.name == to.name ? PoolMove{}
                      : near               ? costs.between_zones
                                           : costs.between_regions);
    }
  return moves;
}

market::Usd spot_price(const PoolWindow& pool, const TickJob& job, std::size_t t) {
  if (!pool.spot.prices.empty()) return pool.spot.prices[t];
  return pool.spot_price.nano > 0 ? pool.spot_price : job.spot;
}

market::Usd on_demand_price(const PoolWindow& pool, const TickJob& job) {
  return pool.on_demand.nano > 0 ? pool.on_demand : job.on_demand;
}

}  // namespace sim::sweep
