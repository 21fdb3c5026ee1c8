// The tables of acquisition: what a strategy's text may name. A new policy, pool rule, bid rule or
// whole strategy costs one class with its make_ function, in the file of its family or in one of
// its own, and here the declaration of that function and one row.
#include "policies/acquisition/bid_rule.h"
#include "policies/acquisition/policy.h"
#include "policies/acquisition/pool_rule.h"
#include "policies/acquisition/strategy.h"

namespace policies {

// ---- policies: simple_policies.cpp, deadline_policies.cpp
using Made = std::unique_ptr<AcquisitionPolicy>;
Made make_on_demand(std::string_view);
Made make_spot_only(std::string_view);
Made make_greedy(std::string_view);
Made make_time_sliced(std::string_view argument);
Made make_uniform_progress(std::string_view);
Made make_uniform_progress_no_keep(std::string_view);
Made make_uniform_progress_no_hysteresis(std::string_view);
Made make_uniform_progress_oracle(std::string_view);
Made make_uniform_progress_oracle_single(std::string_view);
Made make_fallback_failures(std::string_view count);
Made make_fallback_waiting(std::string_view duration);

const std::vector<AcquisitionPolicyKind>& acquisition_policy_kinds() {
  static const std::vector<AcquisitionPolicyKind> kinds{
      {"on-demand", "", "on-demand from beginning to end", false, make_on_demand},
      {"spot-only", "", "spot only: waits where there is none, whatever the deadline", false,
       make_spot_only},
      {"greedy", "", "spot or idle until only on-demand can meet the deadline", false, make_greedy},
      {"time-sliced", "N", "greedy within each of N slices of the time", false, make_time_sliced},
      {"uniform-progress", "", "on-demand when behind the line to the deadline", false,
       make_uniform_progress},
      {"uniform-progress-no-keep", "", "the same, idle when not behind and spot is gone", false,
       make_uniform_progress_no_keep},
      {"uniform-progress-no-hysteresis", "", "the same, from on-demand to spot at once", false,
       make_uniform_progress_no_hysteresis},
      {"uniform-progress-oracle", "", "on spot only where it will last for two changeovers", true,
       make_uniform_progress_oracle},
      {"uniform-progress-oracle-single", "", "the same, for one changeover", true,
       make_uniform_progress_oracle_single},
      {"fallback-failures", "N", "spot, and on-demand to the end after N interruptions", false,
       make_fallback_failures},
      {"fallback-waiting", "T", "spot, and on-demand to the end after waiting T for it", false,
       make_fallback_waiting},
  };
  return kinds;
}

// ---- pool rules: pool_rules.cpp, pool_rules_by_past.cpp
using MadePool = std::unique_ptr<PoolRule>;
MadePool make_first_pool(std::string_view);
MadePool make_lowest_price(std::string_view);
MadePool make_diversified(std::string_view);
MadePool make_capacity_optimized(std::string_view);
MadePool make_capacity_optimized_prioritized(std::string_view);
MadePool make_price_capacity_optimized(std::string_view);
MadePool make_most_available(std::string_view);
MadePool make_most_available_per_price(std::string_view);
MadePool make_round_robin(std::string_view);
MadePool make_leave_interrupted(std::string_view);
MadePool make_hop_for_price(std::string_view share);

const std::vector<PoolRuleKind>& pool_rule_kinds() {
  static const std::vector<PoolRuleKind> kinds{
      {"first-pool", "", "stays in the first pool, and waits where it has no spot",
       make_first_pool},
      {"lowest-price", "", "the cheapest", make_lowest_price},
      {"diversified", "", "the one with the fewest launches so far, then the cheapest",
       make_diversified},
      {"capacity-optimized", "", "the one with the most capacity over the last day",
       make_capacity_optimized},
      {"capacity-optimized-prioritized", "", "the first listed with about the most capacity",
       make_capacity_optimized_prioritized},
      {"price-capacity-optimized", "", "the cheapest with about the most capacity",
       make_price_capacity_optimized},
      {"most-available", "", "the one that had spot for the largest share of the time",
       make_most_available},
      {"most-available-per-price", "", "the largest share ÷ price", make_most_available_per_price},
      {"round-robin", "", "the next in the list", make_round_robin},
      {"leave-interrupted", "", "the cheapest except the one that interrupted the last instance",
       make_leave_interrupted},
      {"hop-for-price", "SHARE", "the cheapest; leaves a running instance that costs SHARE more",
       make_hop_for_price},
  };
  return kinds;
}

// ---- bid rules: bid_rules.cpp
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
      {"bid-fixed", "USD", "USD in every pool", make_bid_fixed},
      {"bid-quantile", "Q", "the quantile Q of the pool's prices so far", make_bid_quantile},
      {"bid-above", "USD", "USD above the pool's price at the launch", make_bid_above},
  };
  return kinds;
}

// ---- whole strategies: utility.cpp, skynomad_*.cpp, command.cpp
std::unique_ptr<Strategy> make_utility(std::string_view margin);
std::unique_ptr<Strategy> make_skynomad(std::string_view);
std::unique_ptr<Strategy> make_skynomad_v100(std::string_view);
std::unique_ptr<Strategy> make_skynomad_up(std::string_view);
std::unique_ptr<Strategy> make_skynomad_up_s(std::string_view);
std::unique_ptr<Strategy> make_skynomad_up_a(std::string_view);
std::unique_ptr<Strategy> make_skynomad_up_ap(std::string_view);
std::unique_ptr<Strategy> make_command_strategy(std::string_view words);

const std::vector<StrategyKind>& strategy_kinds() {
  static const std::vector<StrategyKind> kinds{
      {"utility", "MARGIN",
       "spot, on-demand or no instance, where an hour is worth most; moves for a gain above MARGIN",
       false, make_utility},
      {"skynomad", "", "SkyNomad's policy as in its artifact, with paid probes", false,
       make_skynomad},
      {"skynomad-v100", "", "the same as in its artifact for V100s", false, make_skynomad_v100},
      {"skynomad-up", "", "SkyNomad's UP: uniform progress on the first pool that has spot", false,
       make_skynomad_up},
      {"skynomad-up-s", "", "its UP(S): the cheapest, another region after an interruption", false,
       make_skynomad_up_s},
      {"skynomad-up-a", "", "its UP(A): the pool where the last five probes went best", false,
       make_skynomad_up_a},
      {"skynomad-up-ap", "", "its UP(AP): the most successful probes ÷ price", false,
       make_skynomad_up_ap},
      {"command", "PROGRAM ARGUMENT …", "what a program says", true, make_command_strategy},
  };
  return kinds;
}

}  // namespace policies
