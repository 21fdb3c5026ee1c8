#include "policies/acquisition/pool_rule.h"

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

}  // namespace

std::unique_ptr<PoolRule> make_first_pool(std::string_view) {
  return std::make_unique<FirstPool>();
}

}  // namespace policies
