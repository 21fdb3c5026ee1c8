// Pool rules that go by the prices and the order of the pools, and by what happened to the job.
#include <utility>

#include "policies/acquisition/pool_rule.h"
#include "policies/checkpoint/argument.h"

namespace policies {
namespace {

// What a job without a choice does.
class FirstPool final : public PoolRule {
  std::optional<std::size_t> choose(const MarketState&,
                                    std::span<const std::size_t> from) override {
    if (from.front() != 0) return std::nullopt;
    return 0;
  }
};

// The first in the list after the pool launched in last, around its end.
class RoundRobin final : public PoolRule {
  void begin(std::size_t pools, const AcquisitionJob&) override {
    pools_ = pools;
    last_ = pools - 1;
  }
  std::optional<std::size_t> choose(const MarketState&,
                                    std::span<const std::size_t> from) override {
    return least(from, [&](std::size_t p) { return (p + pools_ - last_ - 1) % pools_; });
  }
  void launched(std::size_t pool) override { last_ = pool; }

  std::size_t pools_ = 0, last_ = 0;
};

// EC2's lowestPrice: "the Spot Instances come from the lowest priced pool that has available
// capacity" (EC2 user guide, "Allocation strategies for Spot Instances").
class LowestPrice final : public PoolRule {
  std::optional<std::size_t> choose(const MarketState& state,
                                    std::span<const std::size_t> from) override {
    return least(from, [&](std::size_t p) { return state.pools[p].spot; });
  }
};

// EC2's diversified: "the Spot Instances are distributed across all Spot capacity pools" (EC2 user
// guide). With one instance at a time, this rule distributes the launches.
class Diversified final : public PoolRule {
  void begin(std::size_t pools, const AcquisitionJob&) override { launches_.assign(pools, 0); }
  std::optional<std::size_t> choose(const MarketState& state,
                                    std::span<const std::size_t> from) override {
    return least(from, [&](std::size_t p) { return std::pair(launches_[p], state.pools[p].spot); });
  }
  void launched(std::size_t pool) override { ++launches_[pool]; }

  std::vector<std::int64_t> launches_;
};

// A pool that has just lost its capacity will soon lose it again. So this rule takes the cheapest
// other pool, and the last pool only as a last resort.
class LeaveInterrupted final : public PoolRule {
  void begin(std::size_t, const AcquisitionJob&) override { left_.reset(); }
  void observe(const MarketState& state) override {
    if (state.interrupted) left_ = state.interrupted;
  }
  std::optional<std::size_t> choose(const MarketState& state,
                                    std::span<const std::size_t> from) override {
    return least(from, [&](std::size_t p) { return std::pair(left_ == p, state.pools[p].spot); });
  }

  std::optional<std::size_t> left_;
};

// Leaves a working instance for a pool that costs less than (1 − share) of its price. Each hop
// costs a changeover and perhaps egress, so the share keeps the rule from following every change.
class HopForPrice final : public PoolRule {
 public:
  explicit HopForPrice(double share) : share_(share) {}

 private:
  std::optional<std::size_t> choose(const MarketState& state,
                                    std::span<const std::size_t> from) override {
    return least(from, [&](std::size_t p) { return state.pools[p].spot; });
  }
  std::optional<std::size_t> leave_for(const MarketState& state,
                                       std::span<const std::size_t> from) override {
    if (from.empty()) return std::nullopt;
    const std::size_t cheapest = *choose(state, from);
    const double now = state.pools[state.pool].spot;
    if (state.pools[cheapest].spot >= (1 - share_) * now) return std::nullopt;
    return cheapest;
  }

  double share_;
};

}  // namespace

std::unique_ptr<PoolRule> make_first_pool(std::string_view) {
  return std::make_unique<FirstPool>();
}
std::unique_ptr<PoolRule> make_round_robin(std::string_view) {
  return std::make_unique<RoundRobin>();
}
std::unique_ptr<PoolRule> make_lowest_price(std::string_view) {
  return std::make_unique<LowestPrice>();
}
std::unique_ptr<PoolRule> make_diversified(std::string_view) {
  return std::make_unique<Diversified>();
}
std::unique_ptr<PoolRule> make_leave_interrupted(std::string_view) {
  return std::make_unique<LeaveInterrupted>();
}
std::unique_ptr<PoolRule> make_hop_for_price(std::string_view argument) {
  return std::make_unique<HopForPrice>(read_share(argument));
}

}  // namespace policies
