#include "sim/sweep/tick_run.h"

#include <algorithm>
#include <utility>

#include "sim/kernel/check.h"

namespace sim::sweep {
namespace {

using policies::Rental;

constexpr Duration kDone = 1ms;

// One run: the job's progress and what was spent, moved on tick by tick.
class Run {
 public:
  Run(const TickJob& job, const SpotWindow& window, bool oracle)
      : job_(job), window_(window), oracle_(oracle) {}

  TickOutcome through(policies::AcquisitionPolicy& policy) {
    const auto length = static_cast<std::int64_t>(window_.available.size());
    policy.begin(told(job_));
    for (;; ++state_.tick) {
      if (state_.now != Rental::kIdle) compute();
      out_.finished = job_.work - state_.done <= kDone;
      if (out_.finished) break;
      state_.spot = state_.tick < length && window_.available[index()];
      if (state_.now == Rental::kSpot && !state_.spot) interrupt();
      if (oracle_) state_.spot_lifetime = lifetime();
      Rental next = policy.decide(state_);
      if (next == Rental::kSpot && !state_.spot) next = Rental::kIdle;
      // Nothing changes any more: there is no spot capacity after the window.
      if (next == Rental::kIdle && state_.tick >= std::max(length, job_.deadline / job_.tick))
        break;
      change(next);
      pay();
    }
    out_.ticks = state_.tick;
    out_.cost = market::charge(an_hour_each_, job_.tick);  // rounded once
    return out_;
  }

 private:
  std::size_t index() const { return static_cast<std::size_t>(state_.tick); }

  // The tick that has just passed.
  void compute() {
    const Duration changeover = std::min(state_.changeover_left, job_.tick);
    state_.changeover_left -= changeover;
    out_.changeover += changeover;
    Duration left = job_.tick - changeover;
    if (job_.checkpoint_interval > Duration::zero()) {
      while (left > Duration::zero() && state_.done < job_.work) left -= step(left);
    } else {
      const Duration worked = std::min(left, job_.work - state_.done);
      work(worked);
      left -= worked;
    }
    out_.surplus += left;
  }

  // Computes until the next checkpoint, or goes on with one; at most for `left`.
  Duration step(Duration left) {
    if (stall_left_ > Duration::zero()) {
      const Duration stalled = std::min(left, stall_left_);
      out_.checkpoint += stalled;
      stall_left_ -= stalled;
      if (stall_left_ == Duration::zero()) volatile_ = Duration::zero();
      return stalled;
    }
    const Duration worked = std::min({left, job_.work - state_.done,
                                      std::max(job_.checkpoint_interval - volatile_, Duration{1})});
    work(worked);
    volatile_ += worked;
    if (volatile_ >= job_.checkpoint_interval) checkpoint();
    return worked;
  }

  void checkpoint() {
    stall_left_ = job_.checkpoint_cost;
    if (stall_left_ == Duration::zero()) volatile_ = Duration::zero();
  }

  void work(Duration worked) {
    state_.done += worked;
    (state_.now == Rental::kSpot ? out_.spot_work : out_.on_demand_work) += worked;
  }

  void interrupt() {
    state_.now = Rental::kIdle;
    ++out_.interruptions;
    state_.done -= volatile_;
    out_.lost += volatile_;
    // What is owed for the instance before stays so.
    owed_ = volatile_ == Duration::zero() ? stall_left_ : Duration::zero();
    volatile_ = stall_left_ = Duration::zero();
  }

  void change(Rental next) {
    if (next == state_.now) return;
    // The checkpoint that leaving takes is paid for in time on the next instance.
    if (state_.now != Rental::kIdle && volatile_ > Duration::zero()) {
      owed_ = job_.checkpoint_cost;
      volatile_ = Duration::zero();
    }
    state_.now = next;
    if (next == Rental::kIdle) return;
    state_.changeover_left = job_.changeover;
    stall_left_ = std::exchange(owed_, Duration::zero());
    ++out_.launches;
  }

  void pay() {
    if (state_.now == Rental::kOnDemand) {
      ++out_.on_demand_ticks;
      an_hour_each_ += job_.on_demand;
    } else if (state_.now == Rental::kSpot) {
      ++out_.spot_ticks;
      an_hour_each_ += window_.prices.empty() ? job_.spot : window_.prices[index()];
    }
  }

  Duration lifetime() {
    const auto& available = window_.available;
    if (run_end_ <= index() || !state_.spot) {
      run_end_ = index();
      while (run_end_ < available.size() && available[run_end_]) ++run_end_;
    }
    return static_cast<std::int64_t>(run_end_ - index()) * job_.tick;
  }

  const TickJob& job_;
  const SpotWindow& window_;
  const bool oracle_;
  policies::AcquisitionState state_;
  Duration volatile_{};       // done since the last checkpoint
  Duration stall_left_{};     // of the checkpoint being written
  Duration owed_{};           // the checkpoint of the instance that was left
  market::Usd an_hour_each_;  // what the ticks billed would cost if each were an hour
  std::size_t run_end_ = 0;
  TickOutcome out_;
};

}  // namespace

policies::AcquisitionJob told(const TickJob& job) {
  return {.work = job.work,
          .deadline = job.deadline,
          .changeover = job.changeover,
          .tick = job.tick,
          .price_ratio = job.spot.nano > 0 ? static_cast<double>(job.on_demand.nano) /
                                                 static_cast<double>(job.spot.nano)
                                           : 1.0};
}

TickOutcome run_ticks(const TickJob& job, const SpotWindow& window,
                      policies::AcquisitionPolicy& policy, bool oracle) {
  SIM_CHECK(job.work > Duration::zero() && job.deadline > Duration::zero());
  SIM_CHECK(job.tick > Duration::zero() && job.changeover >= Duration::zero());
  SIM_CHECK(window.prices.empty() || window.prices.size() == window.available.size());
  return Run(job, window, oracle).through(policy);
}

}  // namespace sim::sweep
