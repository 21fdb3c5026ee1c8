// A job's progress and its bill, tick by tick: what a changeover, a checkpoint and an interruption
// do to it. Which instance is held, and where, is for the runs over one pool (tick_run.h) and over
// several (pools.h) to say.
#pragma once

#include <algorithm>
#include <utility>

#include "sim/ticks/policy_saver.h"
#include "sim/ticks/tick_run.h"

namespace sim::sweep {

class TickProgress {
 public:
  // So much work left counts as none, and a changeover that has less left as over.
  static constexpr Duration kDone = 1ms;

  explicit TickProgress(const TickJob& job) : job_(job) {
    if (!job.checkpoint_policy.empty()) saver_.emplace(job);
  }

  // Policies save, and want to know a spot instance's terms.
  bool saves_by_policy() const { return saver_.has_value(); }

  policies::AcquisitionState& state() { return state_; }
  TickOutcome& outcome() { return out_; }

  // Instances are held through the tick that has just passed; true when the job is done.
  bool advance() {
    if (state_.now != policies::Rental::kIdle) compute();
    return out_.finished = job_.work - state_.done <= kDone;
  }

  void interrupt() {
    settle(now(), market::Ended::kByEc2);
    if (saver_) saver_->interrupted();
    state_.now = policies::Rental::kIdle;
    ++out_.interruptions;
    state_.done -= volatile_;
    out_.lost += volatile_;
    // What is owed for the instance before stays so.
    owed_ = volatile_ == Duration::zero() ? stall_left_ : Duration::zero();
    volatile_ = stall_left_ = Duration::zero();
  }

  // Leaves what is held, and starts something else, or the same elsewhere, or nothing; spot on
  // these terms, which only policies that save need.
  void change(policies::Rental next, Duration changeover,
              const std::optional<SpotTerms>& terms = {}) {
    // The checkpoint that leaving takes is paid for in time on the next instance.
    if (state_.now != policies::Rental::kIdle && volatile_ > Duration::zero()) {
      owed_ = job_.checkpoint_cost;
      volatile_ = Duration::zero();
    }
    settle(now(), market::Ended::kByCustomer);
    launched_ = now();
    state_.now = next;
    if (next == policies::Rental::kIdle) return;
    if (saver_) saver_->launched(now(), state_.done, terms);
    state_.changeover_left = changeover;
    stall_left_ = std::exchange(owed_, Duration::zero());
    ++out_.launches;
  }

  // For the tick that begins.
  void pay(market::Usd on_demand, market::Usd spot) {
    if (state_.now == policies::Rental::kOnDemand) {
      ++out_.on_demand_ticks;
      pay(on_demand);
    } else if (state_.now == policies::Rental::kSpot) {
      ++out_.spot_ticks;
      if (saver_) saver_->see_price(spot.dollars());
      pay(spot);
    }
  }

  // A look at a pool's capacity.
  void probe(market::Usd price) {
    ++out_.probes;
    probes_an_hour_each_ += price;
  }
  // Of an instance that is held on: so much time of this tick alone is billed.
  void pay_for_probe(market::Usd price) {
    ++out_.spot_ticks;
    probes_an_hour_each_ += price;
  }

  // What was paid in the tick before is not owed after all.
  struct Bill {
    market::Usd ticks, probes, egress;
  };
  Bill bill() const { return {an_hour_each_, probes_an_hour_each_, out_.egress}; }
  void back_to(const Bill& bill) {
    an_hour_each_ = bill.ticks;
    probes_an_hour_each_ = bill.probes;
    out_.egress = bill.egress;
  }

  TickOutcome end() {
    out_.ticks = state_.tick;
    settle(now() - out_.surplus, market::Ended::kByCustomer);
    out_.cost = market::charge(an_hour_each_, job_.tick) + out_.egress;  // rounded once
    out_.cost += market::charge(probes_an_hour_each_, kProbe);
    if (job_.billing) out_.cost += market::Usd{static_cast<std::int64_t>(rounded(billed_))};
    return out_;
  }

 private:
  void compute() {
    const Duration changeover = std::min(state_.changeover_left, job_.tick);
    state_.changeover_left -= changeover;
    if (state_.changeover_left < kDone) state_.changeover_left = Duration::zero();
    out_.changeover += changeover;
    Duration left = job_.tick - changeover;
    if (saver_) {
      left = compute_asking(left);
    } else if (job_.checkpoint_interval > Duration::zero()) {
      while (left > Duration::zero() && state_.done < job_.work) left -= step(left);
    } else {
      const Duration worked = std::min(left, job_.work - state_.done);
      work(worked);
      left -= worked;
    }
    out_.surplus += left;
  }

  // Until `left` is over, the work is done, or the policies were told to stop; what is left then.
  Duration compute_asking(Duration left) {
    while (left > Duration::zero() && state_.done < job_.work && !saver_->stopped())
      left -= stall_left_ > Duration::zero() ? save(left) : compute_until_asked(left);
    if (!saver_->stopped() || state_.done >= job_.work) return left;
    out_.stopped += left;
    return Duration::zero();
  }

  // `left` before the end of the tick.
  Duration save(Duration left) {
    const Duration stalled = stall(left);
    if (stall_left_ == Duration::zero()) saver_->saved(now() - left + stalled, state_.done);
    return stalled;
  }

  Duration compute_until_asked(Duration left) {
    const Time at = now() - left;
    const Duration worked = std::min({left, job_.work - state_.done, saver_->until_asked(at)});
    work(worked);
    volatile_ += worked;
    if (saver_->computed(worked, at + worked, state_.done)) {
      checkpoint();
      if (stall_left_ == Duration::zero()) saver_->saved(at + worked, state_.done);
    }
    return worked;
  }

  Duration stall(Duration left) {
    const Duration stalled = std::min(left, stall_left_);
    out_.checkpoint += stalled;
    stall_left_ -= stalled;
    if (stall_left_ == Duration::zero()) volatile_ = Duration::zero();
    return stalled;
  }

  // Computes until the next checkpoint, or goes on with one; at most for `left`.
  Duration step(Duration left) {
    if (stall_left_ > Duration::zero()) return stall(left);
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
    (state_.now == policies::Rental::kSpot ? out_.spot_work : out_.on_demand_work) += worked;
  }

  Time now() const { return Time{} + state_.tick * job_.tick; }

  void pay(market::Usd price) {
    if (!job_.billing)
      an_hour_each_ += price;
    else if (prices_.empty() || prices_.back().price != price)
      prices_.push_back({now(), price});
  }

  // The bill of the instance held, which has ended.
  void settle(Time end, market::Ended ended) {
    if (prices_.empty()) return;
    for (const auto& part : instance_bill(prices_, launched_, end, ended, *job_.billing))
      billed_ += static_cast<__int128>(part.price.nano) * part.billed.count();
    prices_.clear();
  }

  static __int128 rounded(__int128 an_hour_each) {
    constexpr std::int64_t kHour = Duration(1h).count();
    return (an_hour_each + kHour / 2) / kHour;
  }

  const TickJob& job_;
  std::optional<PolicySaver> saver_;
  policies::AcquisitionState state_;
  Duration volatile_{};       // done since the last checkpoint
  Duration stall_left_{};     // of the checkpoint being written
  Duration owed_{};           // the checkpoint of the instance that was left
  market::Usd an_hour_each_;  // what the ticks billed would cost if each were an hour
  market::Usd probes_an_hour_each_;
  // By EC2's rules: of the instance held, and of those before in 10^-9 dollars an hour ×
  // nanoseconds.
  Time launched_{};
  std::vector<market::PricePoint> prices_;
  __int128 billed_ = 0;
  TickOutcome out_;
};

}  // namespace sim::sweep
