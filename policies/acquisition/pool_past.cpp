#include "policies/acquisition/pool_past.h"

#include <algorithm>

namespace policies {

void PoolPast::begin(std::size_t pools, std::int64_t ticks) {
  window_ = ticks;
  seen_ = 0;
  sums_.assign(pools, {});
  remembered_.assign(static_cast<std::size_t>(ticks) * pools, 0);
}

void PoolPast::observe(const MarketState& state) {
  const std::size_t pools = sums_.size();
  for (std::size_t p = 0; p < pools; ++p) {
    const std::int64_t instances = state.pools[p].instances;
    sums_[p].instances += instances;
    sums_[p].ticks_there += instances > 0;
    if (window_ == 0) continue;
    std::int64_t& oldest = remembered_[static_cast<std::size_t>(seen_ % window_) * pools + p];
    sums_[p].instances -= oldest;
    sums_[p].ticks_there -= oldest > 0;
    oldest = instances;
  }
  ++seen_;
}

double PoolPast::instances(std::size_t pool) const {
  const std::int64_t ticks = window_ ? std::min(window_, seen_) : seen_;
  return static_cast<double>(sums_[pool].instances) / static_cast<double>(ticks);
}

double PoolPast::availability(std::size_t pool) const {
  const std::int64_t ticks = window_ ? std::min(window_, seen_) : seen_;
  return static_cast<double>(sums_[pool].ticks_there) / static_cast<double>(ticks);
}

}  // namespace policies
