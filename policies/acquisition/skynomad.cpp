#include "policies/acquisition/skynomad.h"

#include <cmath>
#include <limits>

namespace policies {
namespace {

using std::chrono::nanoseconds;

constexpr double kDone = 1e-3;  // so much work left counts as none

double plain_seconds(nanoseconds time) { return static_cast<double>(time.count()) / 1e9; }
// The artifact's parameters are in hours.
double by_the_hour(nanoseconds time) { return plain_seconds(time) / 3600 * 3600; }

}  // namespace

void SkyNomadStrategy::begin(const AcquisitionJob& job, std::size_t pools,
                             nanoseconds longest_move) {
  job_ = job;
  deadline_ = by_the_hour(job.deadline);
  work_ = job.deadline_ratio > 0 ? plain_seconds(job.deadline) / 3600 / job.deadline_ratio * 3600
                                 : by_the_hour(job.work);
  restart_ = by_the_hour(job.changeover + longest_move);
  tick_ = plain_seconds(job.tick);
  latched_ = begun_ = false;
  prices_.assign(pools, 0);
  reset();
}

double SkyNomadStrategy::now() const { return static_cast<double>(state_->job.tick) * tick_; }
double SkyNomadStrategy::done() const { return plain_seconds(state_->job.done); }
double SkyNomadStrategy::restart_left() const { return plain_seconds(state_->job.changeover_left); }

double SkyNomadStrategy::time_left() const {
  return std::floor((deadline_ - now()) / tick_) * tick_;
}

double SkyNomadStrategy::needed(double restarts) const {
  return std::ceil((work_left() + restarts * restart_) / tick_) * tick_;
}

bool SkyNomadStrategy::has_spot(std::size_t pool) const {
  const PoolQuote& quote = state_->pools[pool];
  return quote.instances > 0 && quote.spot <= quote.on_demand;
}

bool SkyNomadStrategy::try_spot(std::size_t pool) {
  see_price(pool);
  if (has_spot(pool)) launch(Rental::kSpot, pool);
  return has_spot(pool);
}

void SkyNomadStrategy::launch_on_demand(std::size_t pool) { launch(Rental::kOnDemand, pool); }

bool SkyNomadStrategy::probe(std::size_t pool) {
  see_price(pool);
  if (has_spot(pool)) probed_.push_back(pool);
  return has_spot(pool);
}

void SkyNomadStrategy::launch(Rental rental, std::size_t pool) {
  held_ = {rental, pool};
  launched_ = true;
}

Placement SkyNomadStrategy::decide(const MarketState& state) {
  state_ = &state;
  probed_.clear();
  launched_ = false;
  const Held before = held_ = {state.job.now, state.pool};
  if (!begun_)
    for (std::size_t p = 0; p < prices_.size(); ++p) see_price(p);
  begun_ = true;
  if (!safety_net()) step();
  if (held_.is(Rental::kIdle)) return {};
  const bool same = held_.rental == before.rental && held_.pool == before.pool;
  return {held_.rental, held_.pool, held_.is(Rental::kSpot) ? state.pools[held_.pool].on_demand : 0,
          same && launched_};
}

// Uses on-demand as soon as the remaining work and a restart fill the remaining time. The pool is
// that of the present instance, or the one in which the remaining work and the transfer of the data
// cost the least.
bool SkyNomadStrategy::safety_net() {
  if (work_left() <= kDone) return false;
  latched_ |= needed(1) >= time_left();
  if (latched_ && !held_.is(Rental::kOnDemand))
    launch_on_demand(held_.is(Rental::kIdle) ? cheapest_on_demand() : held_.pool);
  return latched_;
}

std::size_t SkyNomadStrategy::cheapest_on_demand() const {
  double least = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  for (std::size_t p = 0; p < pools(); ++p) {
    const double cost = state_->pools[p].on_demand * work_left() / 3600 + state_->move_to(p).egress;
    if (cost < least) least = cost, best = p;
  }
  return best;
}

}  // namespace policies
