#include <algorithm>
#include <cmath>

#include "policies/acquisition/bid_rule.h"
#include "policies/checkpoint/argument.h"

namespace policies {
namespace {

// The price that the pool had no more than in the share Q of the ticks so far, this one included:
// with a past like the future, the share of the time in which spot is to be had.
class BidQuantile final : public BidRule {
 public:
  explicit BidQuantile(double share) : share_(share) {}

 private:
  void begin(std::size_t pools) override { prices_.assign(pools, {}); }
  void observe(const MarketState& state) override {
    for (std::size_t p = 0; p < prices_.size(); ++p) {
      auto& sorted = prices_[p];
      const double price = state.pools[p].spot;
      sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), price), price);
    }
  }
  double bid(const MarketState&, std::size_t pool) override {
    const auto& sorted = prices_[pool];
    const double rank = std::ceil(share_ * static_cast<double>(sorted.size()));
    return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
  }

  double share_;
  std::vector<std::vector<double>> prices_;  // by pool, sorted
};

}  // namespace

std::unique_ptr<BidRule> make_bid_quantile(std::string_view argument) {
  return std::make_unique<BidQuantile>(read_share(argument));
}

}  // namespace policies
