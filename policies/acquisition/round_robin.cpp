#include "policies/acquisition/pool_rule.h"

namespace policies {
namespace {

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

}  // namespace

std::unique_ptr<PoolRule> make_round_robin(std::string_view) {
  return std::make_unique<RoundRobin>();
}

}  // namespace policies
