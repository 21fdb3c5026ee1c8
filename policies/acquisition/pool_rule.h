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
  // Starts a run, and forgets what was learnt in an earlier one.
  virtual void begin(std::size_t, const AcquisitionJob&) {}
  // Called once per tick, before a choice.
  virtual void observe(const MarketState&) {}
  // Chooses one of the pools that have spot at no more than their bids: at least one pool, in
  // ascending order. Empty: rent none of them and wait.
  virtual std::optional<std::size_t> choose(const MarketState& state,
                                            std::span<const std::size_t> from) = 0;
  // The pool for which to leave a working spot instance; empty: stay. `from` may be empty.
  virtual std::optional<std::size_t> leave_for(const MarketState&, std::span<const std::size_t>) {
    return std::nullopt;
  }
  // The pool chosen is being rented in.
  virtual void launched(std::size_t) {}
};

// A row of the table: written "name" or "name:ARGUMENT".
struct PoolRuleKind {
  std::string_view name;
  std::string_view argument;  // name of the argument; empty: it takes none
  std::string_view meaning;
  // Throws std::invalid_argument with what was expected of the argument.
  std::unique_ptr<PoolRule> (*make)(std::string_view argument);
};
const std::vector<PoolRuleKind>& pool_rule_kinds();

// The pool in `from` with the least measure, the first among equals. measure(pool) is comparable.
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
