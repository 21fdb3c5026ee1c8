#include "sim/ticks/pools.h"

#include <algorithm>

#include "sim/kernel/check.h"
#include "sim/ticks/tick_progress.h"

namespace sim::ticks {

using market::region_of;

Duration Pools::longest_move() const {
  Duration longest{};
  for (const PoolMove& move : moves) longest = std::max(longest, move.time);
  return longest;
}

std::vector<PoolMove> moves_between(const std::vector<PoolWindow>& pools, const MoveCosts& costs) {
  std::vector<PoolMove> moves;
  for (const PoolWindow& from : pools)
    for (const PoolWindow& to : pools) {
      const std::string_view here = region_of(from.name), there = region_of(to.name);
      const auto pair = costs.pairs.find({std::string(here), std::string(there)});
      moves.push_back(from.name == to.name        ? PoolMove{}
                      : here == there             ? costs.between_zones
                      : pair != costs.pairs.end() ? pair->second
                                                  : costs.between_regions);
    }
  return moves;
}

bool direct_is_best(const Pools& all) {
  const std::size_t n = all.pools.size();
  for (std::size_t from = 0; from < n; ++from)
    for (std::size_t over = 0; over < n; ++over)
      for (std::size_t to = 0; to < n; ++to) {
        const PoolMove &first = all.move(from, over), &then = all.move(over, to);
        const PoolMove& direct = all.move(from, to);
        if (first.egress + then.egress < direct.egress || first.time + then.time < direct.time)
          return false;
      }
  return true;
}

market::Usd spot_price(const PoolWindow& pool, const TickJob& job, std::size_t t) {
  if (!pool.spot.prices.empty()) return pool.spot.prices[t];
  return pool.spot_price.nano > 0 ? pool.spot_price : job.spot;
}

market::Usd on_demand_price(const PoolWindow& pool, const TickJob& job) {
  return pool.on_demand.nano > 0 ? pool.on_demand : job.on_demand;
}

namespace {

using policies::Placement;
using policies::Rental;

class PoolRunner final : policies::Future {
 public:
  PoolRunner(const TickJob& job, const Pools& pools, bool oracle)
      : job_(job), pools_(pools), progress_(job), quotes_(pools.pools.size()) {
    for (const PoolWindow& pool : pools.pools)
      length_ = std::max(length_, static_cast<std::int64_t>(pool.spot.available.size()));
    for (const PoolMove& move : pools.moves)
      moves_.push_back({.egress = move.egress.dollars(), .time = move.time});
    for (std::size_t p = 0; p < quotes_.size(); ++p) quotes_[p].region = region(p);
    state_.pools = quotes_;
    state_.moves = moves_;
    if (oracle) state_.future = this;
  }

  TickOutcome through(policies::Strategy& strategy) {
    policies::AcquisitionState& job = progress_.state();
    strategy.begin(told(job_), quotes_.size(), pools_.longest_move());
    if (peer_ && job_.work + job_.changeover > job_.deadline) return not_run();
    while (!advance()) {
      before_ = progress_.bill();
      quote();
      state_.interrupted.reset();
      if (job.now == Rental::kSpot && !available(state_.pool, state_.bid)) interrupt();
      state_.job = told_progress();
      Placement next = strategy.decide(state_);
      SIM_CHECK(next.pool < quotes_.size());
      if (next.rental == Rental::kSpot && !available(next.pool, bid_of(next))) next = {};
      // Nothing changes any more: there is no spot capacity after the windows.
      if (next.rental == Rental::kIdle && job.tick >= std::max(length_, job_.deadline / job_.tick))
        break;
      hold(next, strategy.probed());
      ++job.tick;
    }
    if (peer_) progress_.back_to(before_);
    return progress_.end();
  }

 private:
  // The index of the first pool in the same region.
  std::size_t region(std::size_t pool) const {
    std::size_t first = 0;
    while (region_of(pools_.pools[first].name) != region_of(pools_.pools[pool].name)) ++first;
    return first;
  }

  TickOutcome not_run() {
    market::Usd least = on_demand_price(pools_.pools.front(), job_);
    for (const PoolWindow& pool : pools_.pools)
      least = std::min(least, on_demand_price(pool, job_));
    TickOutcome out;
    out.cost = market::charge(least, job_.work + job_.changeover);
    return out;
  }

  std::size_t index() { return static_cast<std::size_t>(progress_.state().tick); }
  bool within(const PoolWindow& pool) { return index() < pool.spot.available.size(); }

  policies::AcquisitionState told_progress() {
    policies::AcquisitionState seen = progress_.state();
    if (job_.told_work > Duration::zero())
      seen.done = std::min(seen.done + progress_.outcome().checkpoint, job_.told_work);
    return seen;
  }

  // The data is in the pool where an instance works.
  bool advance() {
    const bool done = progress_.advance();
    const policies::AcquisitionState& job = progress_.state();
    if (job.now != Rental::kIdle && (peer_ || job.changeover_left == Duration::zero()))
      state_.data = state_.pool;
    return done;
  }

  void quote() {
    for (std::size_t p = 0; p < quotes_.size(); ++p) {
      const PoolWindow& pool = pools_.pools[p];
      const bool there = within(pool);
      policies::PoolQuote& quote = quotes_[p];
      quote.instances = there ? pool.spot.available[index()] : 0;
      // Beyond the end of the windows the last price applies.
      if (there) quote.spot = spot_price(pool, job_, index()).dollars();
      quote.on_demand = on_demand_price(pool, job_).dollars();
    }
  }

  Duration lifetime(std::size_t p, double bid) const override {
    const PoolWindow& pool = pools_.pools[p];
    const auto& available = pool.spot.available;
    const auto now = static_cast<std::size_t>(state_.job.tick);
    std::size_t end = now;
    while (end < available.size() && available[end] && spot_price(pool, job_, end).dollars() <= bid)
      ++end;
    return static_cast<std::int64_t>(end - now) * job_.tick;
  }

  bool available(std::size_t pool, double bid) const {
    return quotes_[pool].instances > 0 && quotes_[pool].spot <= bid;
  }

  bool same(const Placement& next) {
    const Rental now = progress_.state().now;
    if (next.anew) return false;
    return next.rental == now && (now == Rental::kIdle || next.pool == state_.pool);
  }

  double bid_of(const Placement& next) { return same(next) ? state_.bid : next.bid; }

  std::optional<SpotTerms> terms_of(const Placement& next) {
    if (next.rental != Rental::kSpot || !progress_.saves_by_policy()) return std::nullopt;
    const Time now = Time{} + progress_.state().tick * job_.tick;
    return SpotTerms{.bid = next.bid, .taken_at = now + lifetime(next.pool, next.bid)};
  }

  void interrupt() {
    progress_.interrupt();
    state_.interrupted = state_.pool;
  }

  void hold(const Placement& next, std::span<const std::size_t> probed) {
    if (!same(next)) {
      Duration changeover = job_.changeover;
      if (next.rental != Rental::kIdle && state_.data && *state_.data != next.pool) {
        const PoolMove& move = pools_.move(*state_.data, next.pool);
        changeover += move.time;
        progress_.outcome().egress += move.egress;
      }
      progress_.change(next.rental, changeover, terms_of(next));
      state_.pool = next.pool;
      state_.bid = next.bid;
    }
    bool probed_itself = false;
    for (const std::size_t p : probed) {
      const bool itself = peer_ && next.rental != Rental::kIdle && p == next.pool;
      probed_itself |= itself;
      if (!itself && quotes_[p].instances > 0)
        progress_.probe(spot_price(pools_.pools[p], job_, index()));
    }
    if (next.rental == Rental::kIdle) return;
    const PoolWindow& pool = pools_.pools[next.pool];
    const bool spot = next.rental == Rental::kSpot;
    const market::Usd price = spot ? spot_price(pool, job_, index()) : market::Usd{};
    if (spot && probed_itself) return progress_.pay_for_probe(price);
    progress_.pay(on_demand_price(pool, job_), price);
  }

  const TickJob& job_;
  const Pools& pools_;
  const bool peer_ = job_.conventions == Conventions::kSkyNomad;
  TickProgress progress_;
  TickProgress::Bill before_{};  // the tick that begins
  std::int64_t length_ = 0;
  std::vector<policies::PoolQuote> quotes_;
  std::vector<policies::PoolMove> moves_;
  policies::MarketState state_;
};

}  // namespace

TickOutcome run_pools(const TickJob& job, const Pools& pools, policies::Strategy& strategy,
                      bool oracle) {
  SIM_CHECK(job.work > Duration::zero() && job.deadline > Duration::zero());
  SIM_CHECK(job.tick > Duration::zero() && job.changeover >= Duration::zero());
  SIM_CHECK(!pools.pools.empty());
  SIM_CHECK(pools.moves.size() == pools.pools.size() * pools.pools.size());
  for (const PoolWindow& pool : pools.pools)
    SIM_CHECK(pool.spot.prices.empty() || pool.spot.prices.size() == pool.spot.available.size());
  return PoolRunner(job, pools, oracle).through(strategy);
}

}  // namespace sim::ticks
