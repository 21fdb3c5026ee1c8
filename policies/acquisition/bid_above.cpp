#include "policies/acquisition/bid_rule.h"

namespace policies {
namespace {

// Current price + Δ: pays for a rise of Δ, and no more.
class BidAbove final : public BidRule {
 public:
  explicit BidAbove(double usd) : usd_(usd) {}

 private:
  double bid(const MarketState& state, std::size_t pool) override {
    return state.pools[pool].spot + usd_;
  }

  double usd_;
};

}  // namespace

std::unique_ptr<BidRule> make_bid_above(std::string_view argument) {
  return std::make_unique<BidAbove>(read_amount(argument, "US dollars an hour"));
}

}  // namespace policies
