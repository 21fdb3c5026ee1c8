// Bid rules: the maximum price of a spot instance, fixed at its launch. One class a rule in
// bid_rules.cpp, one row each in kinds.cpp.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "policies/acquisition/market.h"

namespace policies {

class BidRule {
 public:
  virtual ~BidRule() = default;
  // Starts a run, and forgets what was learnt in an earlier one.
  virtual void begin(std::size_t) {}
  // Called once per tick, before any question.
  virtual void observe(const MarketState&) {}
  // USD an hour, for an instance that would be launched in this tick.
  virtual double bid(const MarketState& state, std::size_t pool) = 0;
};

// A row of the table: written "name" or "name:ARGUMENT".
struct BidRuleKind {
  std::string_view name;
  std::string_view argument;  // name of the argument; empty: it takes none
  std::string_view meaning;
  // Throws std::invalid_argument with what was expected of the argument.
  std::unique_ptr<BidRule> (*make)(std::string_view argument);
};
const std::vector<BidRuleKind>& bid_rule_kinds();

// An amount above 0, such as "0.5"; `what` names it in the error.
double read_amount(std::string_view text, std::string_view what);

}  // namespace policies
