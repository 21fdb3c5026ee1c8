// The table of pool rules: adding one is its .cpp, its declaration and its row.
#include "policies/acquisition/pool_rule.h"

namespace policies {

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
      {"diversified", "", "the one launched in least often so far, then the cheapest",
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
      {"leave-interrupted", "", "the cheapest but the one that took the last instance back",
       make_leave_interrupted},
      {"hop-for-price", "SHARE", "the cheapest, also from a working instance that costs SHARE more",
       make_hop_for_price},
  };
  return kinds;
}

}  // namespace policies
