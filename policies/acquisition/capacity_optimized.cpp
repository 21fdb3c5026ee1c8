// EC2's capacity-optimized strategies (EC2 user guide, "Allocation strategies for Spot Instances").
// AWS knows its spare capacity; a trace has the instances that could be had, and their mean over
// the last day stands for it.
#include <algorithm>

#include "policies/acquisition/pool_past.h"
#include "policies/acquisition/pool_rule.h"

namespace policies {
namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds kRemembered = std::chrono::hours(24);
// Pools with this share of the most capacity have "about the most".
constexpr double kAboutTheMost = 0.8;

class ByCapacity : public PoolRule {
 protected:
  double capacity(std::size_t pool) const { return past_.instances(pool); }
  // Those of `from` with about the most capacity.
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

}  // namespace policies
