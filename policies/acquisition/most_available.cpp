// By the share of the time in which a pool had spot capacity so far.
#include "policies/acquisition/pool_past.h"
#include "policies/acquisition/pool_rule.h"

namespace policies {
namespace {

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

// The least price of an hour that the pool is there.
class MostAvailablePerPrice final : public ByAvailability {
  std::optional<std::size_t> choose(const MarketState& state,
                                    std::span<const std::size_t> from) override {
    return least(from, [&](std::size_t p) { return state.pools[p].spot / availability(p); });
  }
};

}  // namespace

std::unique_ptr<PoolRule> make_most_available(std::string_view) {
  return std::make_unique<MostAvailable>();
}
std::unique_ptr<PoolRule> make_most_available_per_price(std::string_view) {
  return std::make_unique<MostAvailablePerPrice>();
}

}  // namespace policies
