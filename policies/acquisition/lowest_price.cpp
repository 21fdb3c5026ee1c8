#include "policies/acquisition/pool_rule.h"

namespace policies {
namespace {

// EC2's lowestPrice: "the Spot Instances come from the lowest priced pool that has available
// capacity" (EC2 user guide, "Allocation strategies for Spot Instances").
class LowestPrice final : public PoolRule {
  std::optional<std::size_t> choose(const MarketState& state,
                                    std::span<const std::size_t> from) override {
    return least(from, [&](std::size_t p) { return state.pools[p].spot; });
  }
};

}  // namespace

std::unique_ptr<PoolRule> make_lowest_price(std::string_view) {
  return std::make_unique<LowestPrice>();
}

}  // namespace policies
