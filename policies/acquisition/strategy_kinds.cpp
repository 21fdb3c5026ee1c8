// The table of strategies that are no composition: adding one is its .cpp, its declaration and its
// row.
#include "policies/acquisition/strategy.h"

namespace policies {

std::unique_ptr<Strategy> make_utility(std::string_view margin);

const std::vector<StrategyKind>& strategy_kinds() {
  static const std::vector<StrategyKind> kinds{
      {"utility", "MARGIN",
       "spot, on-demand or nothing where an hour is worth most, left for a gain of MARGIN",
       make_utility},
  };
  return kinds;
}

}  // namespace policies
