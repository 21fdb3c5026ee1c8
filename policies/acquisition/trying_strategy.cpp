#include "policies/acquisition/trying_strategy.h"

#include <stdexcept>

namespace policies {
namespace {

Placement held_in(const MarketState& state) {
  if (state.job.now == Rental::kIdle) return {};
  return {state.job.now, state.pool, state.bid};
}

bool same(const Placement& next, const Placement& held) {
  if (next.rental != held.rental) return false;
  return next.rental == Rental::kIdle || next.pool == held.pool;
}

}  // namespace

TryingStrategy::TryingStrategy(std::string_view text, const AcquisitionJob& job, std::size_t pools,
                               std::chrono::nanoseconds longest_move)
    : text_(text), job_(job), pools_(pools), longest_move_(longest_move) {
  if (make_strategy(text).oracle)
    throw std::invalid_argument(
        "strategy '" + text_ +
        "': is an oracle: it needs to know how long capacity lasts, which is unknown here");
  begin_anew();
}

void TryingStrategy::begin_anew() {
  strategy_ = make_strategy(text_).strategy;
  strategy_->begin(job_, pools_, longest_move_);
  for (const Tick& tick : past_) ask(tick);
}

Placement TryingStrategy::ask(const Tick& tick) {
  MarketState state = tick.state;
  state.pools = tick.pools;
  return strategy_->decide(state);
}

Placement TryingStrategy::decide(const MarketState& state, const Launch& launch) {
  Tick now{state, {state.pools.begin(), state.pools.end()}};
  try {
    const Placement next = try_until_there(now, launch);
    past_.push_back(std::move(now));
    return next;
  } catch (...) {
    begin_anew();
    throw;
  }
}

Placement TryingStrategy::try_until_there(Tick& now, const Launch& launch) {
  const Placement held = held_in(now.state);
  for (;; begin_anew()) {
    const Placement next = ask(now);
    if (same(next, held)) return held;
    if (next.rental == Rental::kIdle) return next;
    std::int64_t& instances = now.pools[next.pool].instances;
    if (next.rental == Rental::kSpot && instances == 0) return {};
    if (launch(next)) return next;
    if (next.rental == Rental::kOnDemand) return held;
    instances = 0;
  }
}

}  // namespace policies
