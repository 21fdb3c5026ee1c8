// The tables of acquisition: everything that a strategy's text may name. A new policy, pool rule,
// bid rule or whole strategy needs one class with a make_ function, in the file of its family or in
// a new file. This file needs a declaration of the function and one row.
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
      {"on-demand", "", "rents on-demand from beginning to end", false, make_on_demand},
      {"spot-only", "", "rents only spot and waits while there is none, whatever the deadline",
       false, make_spot_only},
      {"greedy", "", "rents spot or waits, until only on-demand can meet the deadline", false,
       make_greedy},
      {"time-sliced", "N", "divides the time into N slices and is greedy in each", false,
       make_time_sliced},
      {"uniform-progress", "",
       "rents spot, or on-demand while the job is behind even progress to the deadline", false,
       make_uniform_progress},
      {"uniform-progress-no-keep", "",
       "as uniform-progress, but leaves on-demand when no longer behind, also without spot", false,
       make_uniform_progress_no_keep},
      {"uniform-progress-no-hysteresis", "",
       "as uniform-progress, but goes from on-demand to spot at once", false,
       make_uniform_progress_no_hysteresis},
      {"uniform-progress-oracle", "",
       "as uniform-progress, but rents spot only if it will last long enough to repay the "
       "changeover",
       true, make_uniform_progress_oracle},
      {"uniform-progress-oracle-single", "",
       "as uniform-progress-oracle, but returns from on-demand to spot more readily", true,
       make_uniform_progress_oracle_single},
      {"fallback-failures", "N", "rents spot; after N interruptions on-demand to the end", false,
       make_fallback_failures},
      {"fallback-waiting", "T", "rents spot; after waiting T for spot on-demand to the end", false,
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
      {"first-pool", "", "the first pool; waits while it has no spot", make_first_pool},
      {"lowest-price", "", "the cheapest pool", make_lowest_price},
      {"diversified", "", "the pool with the fewest launches so far, the cheapest among equals",
       make_diversified},
      {"capacity-optimized", "", "the pool with the most capacity over the last day",
       make_capacity_optimized},
      {"capacity-optimized-prioritized", "",
       "the first listed pool with at least 0.8 of the most capacity",
       make_capacity_optimized_prioritized},
      {"price-capacity-optimized", "", "the cheapest pool with at least 0.8 of the most capacity",
       make_price_capacity_optimized},
      {"most-available", "", "the pool that has had spot for the largest share of the time so far",
       make_most_available},
      {"most-available-per-price", "", "the pool with the largest share of time with spot ÷ price",
       make_most_available_per_price},
      {"round-robin", "", "the next pool in the list", make_round_robin},
      {"leave-interrupted", "",
       "the cheapest pool except the one that interrupted the last instance",
       make_leave_interrupted},
      {"hop-for-price", "SHARE",
       "the cheapest pool; leaves a running instance for a pool cheaper by SHARE",
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
       "chooses spot, on-demand or waiting by the value of an hour; moves for a gain above MARGIN",
       false, make_utility},
      {"skynomad", "", "SkyNomad's published policy, with paid probes", false, make_skynomad},
      {"skynomad-v100", "", "SkyNomad's published policy for V100s, with paid probes", false,
       make_skynomad_v100},
      {"skynomad-up", "", "SkyNomad's UP: uniform progress in the first pool that has spot", false,
       make_skynomad_up},
      {"skynomad-up-s", "",
       "SkyNomad's UP(S): the cheapest pool, in another region after an interruption", false,
       make_skynomad_up_s},
      {"skynomad-up-a", "",
       "SkyNomad's UP(A): the pool with the most successes in the last five launches and probes",
       false, make_skynomad_up_a},
      {"skynomad-up-ap", "",
       "SkyNomad's UP(AP): the pool with the largest share of successes ÷ price", false,
       make_skynomad_up_ap},
      {"command", "PROGRAM ARGUMENT …", "decided by a program", true, make_command_strategy},
  };
  return kinds;
}

}  // namespace policies
