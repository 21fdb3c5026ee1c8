#include "policies/acquisition/bid_rule.h"

namespace policies {
namespace {

// A share of the on-demand price; all of it is EC2's own maximum price where a request names none
// (EC2 user guide, "Spot Instance pricing").
class BidShare final : public BidRule {
 public:
  explicit BidShare(double share) : share_(share) {}

 private:
  double bid(const MarketState& state, std::size_t pool) override {
    return share_ * state.pools[pool].on_demand;
  }

  double share_;
};

}  // namespace

std::unique_ptr<BidRule> make_bid_share(std::string_view argument) {
  return std::make_unique<BidShare>(read_amount(argument, "a share of the on-demand price"));
}
std::unique_ptr<BidRule> make_bid_on_demand(std::string_view) {
  return std::make_unique<BidShare>(1);
}

}  // namespace policies
