// The table of bid rules: adding one is its .cpp, its declaration and its row.
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>

#include "policies/acquisition/bid_rule.h"

namespace policies {

using MadeBid = std::unique_ptr<BidRule>;
MadeBid make_bid_share(std::string_view share);
MadeBid make_bid_on_demand(std::string_view);
MadeBid make_bid_fixed(std::string_view usd);
MadeBid make_bid_quantile(std::string_view share);
MadeBid make_bid_above(std::string_view usd);

const std::vector<BidRuleKind>& bid_rule_kinds() {
  static const std::vector<BidRuleKind> kinds{
      {"bid-on-demand", "", "the pool's on-demand price", make_bid_on_demand},
      {"bid-share", "SHARE", "SHARE of the pool's on-demand price", make_bid_share},
      {"bid-fixed", "USD", "the same in every pool", make_bid_fixed},
      {"bid-quantile", "Q", "the quantile Q of the pool's prices so far", make_bid_quantile},
      {"bid-above", "USD", "so much above the pool's price at the launch", make_bid_above},
  };
  return kinds;
}

double read_amount(std::string_view text, std::string_view what) {
  double amount = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), amount);
  if (error != std::errc{} || stop != text.data() + text.size() || !std::isfinite(amount) ||
      amount <= 0 || amount > 1e6)
    throw std::invalid_argument("expected " + std::string(what) +
                                " above 0, at most a million, such as 0.5");
  return amount;
}

}  // namespace policies
