#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>

#include "policies/acquisition/bid_rule.h"
#include "policies/checkpoint/argument.h"

namespace policies {
namespace {

// A share of the on-demand price. All of it is EC2's default maximum price (EC2 user guide, "Spot
// Instance pricing").
class BidShare final : public BidRule {
 public:
  explicit BidShare(double share) : share_(share) {}

 private:
  double bid(const MarketState& state, std::size_t pool) override {
    return share_ * state.pools[pool].on_demand;
  }

  double share_;
};

class BidFixed final : public BidRule {
 public:
  explicit BidFixed(double usd) : usd_(usd) {}

 private:
  double bid(const MarketState&, std::size_t) override { return usd_; }

  double usd_;
};

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

// The price that the pool has not exceeded in the share Q of the ticks so far, including this one.
// If the future resembles the past, spot is available for that share of the time.
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

double read_amount(std::string_view text, std::string_view what) {
  double amount = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), amount);
  if (error != std::errc{} || stop != text.data() + text.size() || !std::isfinite(amount) ||
      amount <= 0 || amount > 1e6)
    throw std::invalid_argument("expected " + std::string(what) +
                                " above 0, at most a million, such as 0.5");
  return amount;
}

std::unique_ptr<BidRule> make_bid_share(std::string_view argument) {
  return std::make_unique<BidShare>(read_amount(argument, "a share of the on-demand price"));
}
std::unique_ptr<BidRule> make_bid_on_demand(std::string_view) {
  return std::make_unique<BidShare>(1);
}
std::unique_ptr<BidRule> make_bid_fixed(std::string_view argument) {
  return std::make_unique<BidFixed>(read_amount(argument, "US dollars an hour"));
}
std::unique_ptr<BidRule> make_bid_above(std::string_view argument) {
  return std::make_unique<BidAbove>(read_amount(argument, "US dollars an hour"));
}
std::unique_ptr<BidRule> make_bid_quantile(std::string_view argument) {
  return std::make_unique<BidQuantile>(read_share(argument));
}

}  // namespace policies
