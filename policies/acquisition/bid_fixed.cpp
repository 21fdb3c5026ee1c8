#include "policies/acquisition/bid_rule.h"

namespace policies {
namespace {

class BidFixed final : public BidRule {
 public:
  explicit BidFixed(double usd) : usd_(usd) {}

 private:
  double bid(const MarketState&, std::size_t) override { return usd_; }

  double usd_;
};

}  // namespace

std::unique_ptr<BidRule> make_bid_fixed(std::string_view argument) {
  return std::make_unique<BidFixed>(read_amount(argument, "US dollars an hour"));
}

}  // namespace policies
