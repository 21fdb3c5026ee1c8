// Pool rules that go by how much spot capacity the pools had so far.
#include <algorithm>

#include "policies/acquisition/pool_rule.h"

namespace policies {
namespace {

// The spot capacity of pools so far. It is all that a trace shows of AWS's capacity.
class PoolPast {
 public:
  // Remembers this number of ticks; 0: all.
  void begin(std::size_t pools, std::int64_t ticks = 0);
  void observe(const MarketState& state);

  // The mean number of available instances over the remembered ticks, including this one.
  double instances(std::size_t pool) const;
  // The share of these ticks with spot capacity, in [0, 1].
  double availability(std::size_t pool) const;

 private:
  struct Sums {
    std::int64_t instances = 0, ticks_there = 0;
  };
  std::int64_t window_ = 0, seen_ = 0;
  std::vector<Sums> sums_;                // by pool
  std::vector<std::int64_t> remembered_;  // a ring of ticks × pools when the window is limited
};

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

// EC2's capacity-optimized strategies (EC2 user guide, "Allocation strategies for Spot Instances").
// AWS knows its spare capacity; a trace has the instances that could be had, and their mean over
// the last day stands for it.
constexpr std::chrono::nanoseconds kRemembered = std::chrono::hours(24);
// Pools with this share of the most capacity have "about the most".
constexpr double kAboutTheMost = 0.8;

class ByCapacity : public PoolRule {
 protected:
  double capacity(std::size_t pool) const { return past_.instances(pool); }
  // The pools of `from` with about the most capacity.
  std::vector<std::size_t> roomy(std::span<const std::size_t> from) const {
    double most = 0;
    for (const std::size_t p : from) most = std::max(most, capacity(p));
    std::vector<std::size_t> pools;
    for (const std::size_t p : from)
      if (capacity(p) >= kAboutTheMost * most) pools.push_back(p);
    return pools;
  }

 private:
  void begin(std::size_t pools, const AcquisitionJob& job) override {
    past_.begin(pools, std::max<std::int64_t>(kRemembered / job.tick, 1));
  }
  void observe(const MarketState& state) override { past_.observe(state); }

  PoolPast past_;
};

class CapacityOptimized final : public ByCapacity {
  std::optional<std::size_t> choose(const MarketState&,
                                    std::span<const std::size_t> from) override {
    return least(from, [&](std::size_t p) { return -capacity(p); });
  }
};

// "Honors the priorities on a best-effort basis, but optimizes for capacity first": the order of
// the pools is their priority.
class CapacityOptimizedPrioritized final : public ByCapacity {
  std::optional<std::size_t> choose(const MarketState&,
                                    std::span<const std::size_t> from) override {
    return roomy(from).front();
  }
};

// "Identifies the pools with the highest capacity availability … then requests Spot Instances from
// the lowest priced of these pools."
class PriceCapacityOptimized final : public ByCapacity {
  std::optional<std::size_t> choose(const MarketState& state,
                                    std::span<const std::size_t> from) override {
    return least(roomy(from), [&](std::size_t p) { return state.pools[p].spot; });
  }
};

// By the share of the time in which a pool had spot capacity so far.
class ByAvailability : public PoolRule {
 protected:
  double availability(std::size_t pool) const { return past_.availability(pool); }

 private:
  void begin(std::size_t pools, const AcquisitionJob&) override { past_.begin(pools); }
  void observe(const MarketState& state) override { past_.observe(state); }

  PoolPast past_;
};

class MostAvailable final : public ByAvailability {
  std::optional<std::size_t> choose(const MarketState&,
                                    std::span<const std::size_t> from) override {
    return least(from, [&](std::size_t p) { return -availability(p); });
  }
};

// The lowest price per hour of availability.
class MostAvailablePerPrice final : public ByAvailability {
  std::optional<std::size_t> choose(const MarketState& state,
                                    std::span<const std::size_t> from) override {
    return least(from, [&](std::size_t p) { return state.pools[p].spot / availability(p); });
  }
};

}  // namespace

std::unique_ptr<PoolRule> make_capacity_optimized(std::string_view) {
  return std::make_unique<CapacityOptimized>();
}
std::unique_ptr<PoolRule> make_capacity_optimized_prioritized(std::string_view) {
  return std::make_unique<CapacityOptimizedPrioritized>();
}
std::unique_ptr<PoolRule> make_price_capacity_optimized(std::string_view) {
  return std::make_unique<PriceCapacityOptimized>();
}
std::unique_ptr<PoolRule> make_most_available(std::string_view) {
  return std::make_unique<MostAvailable>();
}
std::unique_ptr<PoolRule> make_most_available_per_price(std::string_view) {
  return std::make_unique<MostAvailablePerPrice>();
}

}  // namespace policies
