#include "policies/acquisition/pool_rule.h"
#include "policies/checkpoint/argument.h"

namespace policies {
namespace {

// Leaves a working instance for a pool that costs less than (1 − share) of what it does. Each hop
// is paid for with a changeover, and egress where there is some, so the share keeps it from
// following every change.
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

std::unique_ptr<PoolRule> make_hop_for_price(std::string_view argument) {
  return std::make_unique<HopForPrice>(read_share(argument));
}

}  // namespace policies
