#include <utility>

#include "policies/acquisition/pool_rule.h"

namespace policies {
namespace {

// The pool that has just run out of capacity will soon do so again: the cheapest of the others, and
// that one only where there is no other.
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

}  // namespace

std::unique_ptr<PoolRule> make_leave_interrupted(std::string_view) {
  return std::make_unique<LeaveInterrupted>();
}

}  // namespace policies
