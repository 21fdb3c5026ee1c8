#include "sim/ticks/tick_run.h"

#include <algorithm>

#include "sim/kernel/check.h"
#include "sim/ticks/tick_progress.h"

namespace sim::ticks {
namespace {

using policies::Rental;

class TickRunner {
 public:
  TickRunner(const TickJob& job, const SpotWindow& window, bool oracle)
      : job_(job), window_(window), oracle_(oracle), progress_(job) {}

  TickOutcome through(policies::AcquisitionPolicy& policy) {
    const auto length = static_cast<std::int64_t>(window_.available.size());
    const std::int64_t end = std::max(length, job_.deadline / job_.tick);
    policies::AcquisitionState& state = progress_.state();
    policy.begin(told(job_));
    for (; !progress_.advance(); ++state.tick) {
      state.spot = state.tick < length && window_.available[index()];
      if (state.now == Rental::kSpot && !state.spot) progress_.interrupt();
      if (oracle_) tell_future();
      Rental next = policy.decide(state);
      if (next == Rental::kSpot && !state.spot) next = Rental::kIdle;
      // Nothing changes any more: there is no spot capacity after the window.
      if (next == Rental::kIdle && state.tick >= end) break;
      if (next != state.now) progress_.change(next, job_.changeover, terms_of(next));
      progress_.pay(job_.on_demand, next == Rental::kSpot ? spot_price() : market::Usd{});
    }
    return progress_.end();
  }

 private:
  std::optional<SpotTerms> terms_of(Rental next) {
    if (next != Rental::kSpot || !progress_.saves_by_policy()) return std::nullopt;
    const Time now = Time{} + progress_.state().tick * job_.tick;
    return SpotTerms{.bid = job_.on_demand.dollars(), .taken_at = now + lifetime()};
  }

  std::size_t index() { return static_cast<std::size_t>(progress_.state().tick); }

  // The spot price, if spot is available.
  market::Usd spot_price() { return window_.prices.empty() ? job_.spot : window_.prices[index()]; }

  void tell_future() {
    policies::AcquisitionState& state = progress_.state();
    state.spot_lifetime = lifetime();
    if (state.spot) state.spot_price = spot_price().dollars();
    state.on_demand_price = job_.on_demand.dollars();
  }

  Duration lifetime() {
    const auto& available = window_.available;
    if (run_end_ <= index() || !progress_.state().spot) {
      run_end_ = index();
      while (run_end_ < available.size() && available[run_end_]) ++run_end_;
    }
    return static_cast<std::int64_t>(run_end_ - index()) * job_.tick;
  }

  const TickJob& job_;
  const SpotWindow& window_;
  const bool oracle_;
  TickProgress progress_;
  std::size_t run_end_ = 0;
};

}  // namespace

policies::AcquisitionJob told(const TickJob& job) {
  return {.work = job.told_work > Duration::zero() ? job.told_work : job.work,
          .deadline = job.deadline,
          .changeover = job.changeover,
          .tick = job.tick,
          .deadline_ratio = job.deadline_ratio,
          .gigabytes = job.gigabytes};
}

TickOutcome run_ticks(const TickJob& job, const SpotWindow& window,
                      policies::AcquisitionPolicy& policy, bool oracle) {
  SIM_CHECK(job.work > Duration::zero() && job.deadline > Duration::zero());
  SIM_CHECK(job.tick > Duration::zero() && job.changeover >= Duration::zero());
  SIM_CHECK(window.prices.empty() || window.prices.size() == window.available.size());
  return TickRunner(job, window, oracle).through(policy);
}

}  // namespace sim::ticks
