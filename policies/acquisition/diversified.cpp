#include <utility>

#include "policies/acquisition/pool_rule.h"

namespace policies {
namespace {

// EC2's diversified: "the Spot Instances are distributed across all Spot capacity pools" (EC2 user
// guide). Of one instance at a time, the launches are.
class Diversified final : public PoolRule {
  void begin(std::size_t pools, const AcquisitionJob&) override { launches_.assign(pools, 0); }
  std::optional<std::size_t> choose(const MarketState& state,
                                    std::span<const std::size_t> from) override {
    return least(from, [&](std::size_t p) { return std::pair(launches_[p], state.pools[p].spot); });
  }
  void launched(std::size_t pool) override { ++launches_[pool]; }

  std::vector<std::int64_t> launches_;
};

}  // namespace

std::unique_ptr<PoolRule> make_diversified(std::string_view) {
  return std::make_unique<Diversified>();
}

}  // namespace policies
