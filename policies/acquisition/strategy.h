// Acquisition strategies decide what to rent, in which pool, and the maximum price. Most strategies
// consist of an acquisition policy (when to hold spot, on-demand or nothing), a pool rule and a bid
// rule: "greedy+lowest-price+bid-share:0.5".
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policies/acquisition/market.h"

namespace policies {

class Strategy {
 public:
  virtual ~Strategy() = default;
  // Starts a run over this number of pools, and forgets what was learnt in an earlier one. A
  // strategy with a deadline must allow for the longest move between the pools.
  virtual void begin(const AcquisitionJob& job, std::size_t pools,
                     std::chrono::nanoseconds longest_move) = 0;
  // Called for a tick, in order. Ticks may be missing, because the program that executes the
  // decisions may be absent. Throws PolicyFailed if the strategy is a program that cannot continue.
  virtual Placement decide(const MarketState& state) = 0;
  // The pools in which the last decision launched a spot instance only to see their capacity. Each
  // successful probe costs something.
  virtual std::span<const std::size_t> probed() const { return {}; }
};

// A rule that is the whole strategy: written like an acquisition policy.
struct StrategyKind {
  std::string_view name;
  std::string_view argument;  // name of the argument; empty: it takes none
  std::string_view meaning;
  bool to_the_end;  // a '+' in the argument is part of it
  std::unique_ptr<Strategy> (*make)(std::string_view argument);
};
const std::vector<StrategyKind>& strategy_kinds();

struct NamedStrategy {
  std::string text;
  bool oracle = false;  // it knows MarketState::future
  std::unique_ptr<Strategy> strategy;
  bool in_first_pool = false;  // it rents spot only in the first pool
};
// Reads a whole strategy, or "POLICY" followed by "+RULE" for a pool rule, a bid rule or both. By
// default the pool is the first one and the bid is the on-demand price. Throws
// std::invalid_argument with what was found and which names exist.
NamedStrategy make_strategy(std::string_view text);

// Reads a strategy and calls it once, as in the first tick of a one-hour job in one pool. So a
// broken program is detected before a run. Throws like make_strategy(), and PolicyFailed.
void try_strategy(std::string_view text);

// The meaning of a strategy, from the tables: "divides the time into 4 slices and is greedy in
// each; pool: the cheapest pool".
std::string meaning_of(std::string_view strategy);

// True if the text is an acquisition policy without rules, which needs no pools.
bool is_acquisition_policy(std::string_view text);

}  // namespace policies
