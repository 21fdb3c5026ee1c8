// A strategy of a policy (when), a pool rule (where) and a bid rule (for how much).
#pragma once

#include <memory>

#include "policies/acquisition/bid_rule.h"
#include "policies/acquisition/pool_rule.h"
#include "policies/acquisition/strategy.h"

namespace policies {

std::unique_ptr<Strategy> compose(std::unique_ptr<AcquisitionPolicy> policy,
                                  std::unique_ptr<PoolRule> pool, std::unique_ptr<BidRule> bid);

// The pool for on-demand: the one with the data or, before there is any, the cheapest.
std::size_t on_demand_pool(const MarketState& state);

}  // namespace policies
