#include "policies/acquisition/composed.h"

#include <numeric>

#include "policies/acquisition/safety_net.h"

namespace policies {
namespace {

class Composed final : public Strategy {
 public:
  Composed(std::unique_ptr<AcquisitionPolicy> policy, std::unique_ptr<PoolRule> where,
           std::unique_ptr<BidRule> bid)
      : policy_(std::move(policy)), where_(std::move(where)), bid_(std::move(bid)) {}

 private:
  void begin(const AcquisitionJob& job, std::size_t pools,
             std::chrono::nanoseconds longest_move) override {
    job_ = job;
    job_.changeover += longest_move;
    policy_->begin(job_);
    where_->begin(pools, job_);
    bid_->begin(pools);
  }

  Placement decide(const MarketState& state) override {
    where_->observe(state);
    bid_->observe(state);
    const std::optional<Placement> spot = spot_placement(state);
    AcquisitionState seen = state.job;
    seen.spot = spot.has_value();
    if (spot && state.future) {
      const PoolQuote& quote = state.pools[spot->pool];
      seen.spot_lifetime = state.future->lifetime(spot->pool, spot->bid);
      seen.spot_price = quote.spot;
      seen.on_demand_price = quote.on_demand;
    }
    switch (policy_->decide(seen)) {
      case Rental::kOnDemand:
        return {Rental::kOnDemand,
                seen.now == Rental::kOnDemand ? state.pool : on_demand_pool(state), 0};
      case Rental::kSpot:
        if (!spot) break;
        if (seen.now != Rental::kSpot || spot->pool != state.pool) where_->launched(spot->pool);
        return *spot;
      case Rental::kIdle:
        break;
    }
    return {};
  }

  // Where the strategy would hold spot in this tick.
  std::optional<Placement> spot_placement(const MarketState& state) {
    const bool held = state.job.now == Rental::kSpot;
    offers_.clear();
    for (std::size_t p = 0; p < state.pools.size(); ++p) {
      const PoolQuote& quote = state.pools[p];
      if (held && p == state.pool) continue;
      if (quote.instances > 0 && quote.spot <= bid_->bid(state, p)) offers_.push_back(p);
    }
    std::optional<std::size_t> next;
    if (!held && !offers_.empty()) next = where_->choose(state, offers_);
    // A hop by its own will must leave time for the changeover and for an interruption.
    if (held && !is_urgent(whole_job(state.job, job_), 2, job_))
      next = where_->leave_for(state, offers_);
    if (next) return Placement{Rental::kSpot, *next, bid_->bid(state, *next)};
    if (held) return Placement{Rental::kSpot, state.pool, state.bid};
    return std::nullopt;
  }

  std::unique_ptr<AcquisitionPolicy> policy_;
  std::unique_ptr<PoolRule> where_;
  std::unique_ptr<BidRule> bid_;
  AcquisitionJob job_{};  // with the longest changeover that there can be
  std::vector<std::size_t> offers_;
};

}  // namespace

std::unique_ptr<Strategy> compose(std::unique_ptr<AcquisitionPolicy> policy,
                                  std::unique_ptr<PoolRule> pool, std::unique_ptr<BidRule> bid) {
  return std::make_unique<Composed>(std::move(policy), std::move(pool), std::move(bid));
}

std::size_t on_demand_pool(const MarketState& state) {
  if (state.data) return *state.data;
  std::size_t cheapest = 0;
  for (std::size_t p = 1; p < state.pools.size(); ++p)
    if (state.pools[p].on_demand < state.pools[cheapest].on_demand) cheapest = p;
  return cheapest;
}

}  // namespace policies
