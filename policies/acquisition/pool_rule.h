// Pool rules: where to rent spot. One class a rule in the file of its family, one row each in
// kinds.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "policies/acquisition/market.h"

namespace policies {

class PoolRule {
 public:
  virtual ~PoolRule() = default;
  // A run begins; what was learnt in another is forgotten.
  virtual void begin(std::size_t, const AcquisitionJob&) {}
  // Called once a tick, before anything is chosen.
  virtual void observe(const MarketState&) {}
  // Which of the pools to rent in: those that have spot at no more than their bids, at least one,
  // in ascending order. Empty: none of them, rather wait.
  virtual std::optional<std::size_t> choose(const MarketState& state,
                                            std::span<const std::size_t> from) = 0;
  // Where to go from a spot instance that works; empty: nowhere. `from` may be empty.
  virtual std::optional<std::size_t> leave_for(const MarketState&, std::span<const std::size_t>) {
    return std::nullopt;
  }
  // The pool chosen is being rented in.
  virtual void launched(std::size_t) {}
};

// A row of the table: written "name" or "name:ARGUMENT".
struct PoolRuleKind {
  std::string_view name;
  std::string_view argument;  // what the argument is called; empty when it takes none
  std::string_view meaning;
  // Throws std::invalid_argument saying what was expected of the argument.
  std::unique_ptr<PoolRule> (*make)(std::string_view argument);
};
const std::vector<PoolRuleKind>& pool_rule_kinds();

// The one of `from` whose measure is least, the first of equals. measure(pool) is comparable.
template <typename Measure>
std::size_t least(std::span<const std::size_t> from, Measure measure) {
  std::size_t best = from.front();
  auto least = measure(best);
  for (const std::size_t pool : from.subspan(1)) {
    const auto found = measure(pool);
    if (found < least) best = pool, least = found;
  }
  return best;
}

}  // namespace policies
