// Acquisition strategies: what to rent, in which pool, at which maximum price. Most strategies
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
  // A run over so many pools begins; what was learnt in another is forgotten. The longest move
  // between them is to be reckoned with where a deadline must hold.
  virtual void begin(const AcquisitionJob& job, std::size_t pools,
                     std::chrono::nanoseconds longest_move) = 0;
  // Called once for a tick, in order. Ticks may be left out, because the program that carries out
  // the decisions may be away. Throws PolicyFailed if the strategy is a program that cannot
  // continue.
  virtual Placement decide(const MarketState& state) = 0;
  // The pools that the last decision launched a spot instance in for a look at their capacity only;
  // each costs something where it succeeds.
  virtual std::span<const std::size_t> probed() const { return {}; }
};

// A rule that is the whole strategy: written like an acquisition policy.
struct StrategyKind {
  std::string_view name;
  std::string_view argument;  // what the argument is called; empty when it takes none
  std::string_view meaning;
  bool to_the_end;  // a '+' in the argument is part of it
  std::unique_ptr<Strategy> (*make)(std::string_view argument);
};
const std::vector<StrategyKind>& strategy_kinds();

struct NamedStrategy {
  std::string text;
  bool oracle = false;  // is told MarketState::future
  std::unique_ptr<Strategy> strategy;
  bool in_first_pool = false;  // rents spot there alone, whatever others there are
};
// Reads a whole strategy, or "POLICY", then "+RULE" for a pool rule, a bid rule or both; without
// them the pool is the first and the bid the on-demand price. Throws std::invalid_argument naming
// what was found and what is known.
NamedStrategy make_strategy(std::string_view text);

// Reads a strategy and asks it once, as in the first tick of a job of an hour in one pool, so that
// a program that cannot go on is found before a run. Throws as make_strategy() and PolicyFailed.
void try_strategy(std::string_view text);

// What the tables say of a strategy that make_strategy() reads: "greedy within each of 4 slices of
// the time; pool: the cheapest".
std::string meaning_of(std::string_view strategy);

// True when the text names an acquisition policy alone, which needs no pools.
bool is_acquisition_policy(std::string_view text);

}  // namespace policies
