// A job's progress and bill, tick by tick: the effects of changeovers, checkpoints and
// interruptions. The runs over one pool (tick_run.h) and over several pools (pools.h) decide which
// instance is held, and where.
//
// The frequent parts are here, to be inlined. Rare parts, saving and EC2's bills are in the .cpp.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/ticks/policy_saver.h"
#include "sim/ticks/tick_run.h"

namespace sim::ticks {

// Owns the progress and the bill of one run. The run's loop calls advance() after each tick,
// change() when the policy decides so, and pay() for the tick that begins.
class TickProgress {
 public:
  // Remaining work up to this time counts as none, and a remaining changeover up to it as over.
  static constexpr Duration kDone = 1ms;

  explicit TickProgress(const TickJob& job);

  // True if policies save. They need a spot instance's terms.
  bool saves_by_policy() const { return saver_.has_value(); }

  policies::AcquisitionState& state() { return state_; }
  TickOutcome& outcome() { return out_; }

  // The held instance ran through the tick that has just passed. True if the job is done.
  bool advance() {
    if (state_.now != policies::Rental::kIdle) compute();
    return out_.finished = job_.work - state_.done <= kDone;
  }

  void interrupt();

  // Leaves the held instance, and starts another rental: spot, on-demand, the same in another pool,
  // or nothing. `spot` has the terms of spot, which only saving policies need.
  void change(policies::Rental next, Duration changeover,
              const std::optional<SpotTerms>& terms = {});

  // Pays for the tick that begins.
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

  // Pays for a probe of a pool's capacity.
  void probe(market::Usd price) {
    ++out_.probes;
    probes_an_hour_each_ += price;
  }
  // Pays for a probe of the pool with the held instance. Of this tick, only the probe's time is
  // billed.
  void pay_for_probe(market::Usd price) {
    ++out_.spot_ticks;
    probes_an_hour_each_ += price;
  }

  // Cancels the payment of the previous tick.
  struct Bill {
    market::Usd ticks, probes, egress;
  };
  Bill bill() const { return {an_hour_each_, probes_an_hour_each_, out_.egress}; }
  void back_to(const Bill& bill) {
    an_hour_each_ = bill.ticks;
    probes_an_hour_each_ = bill.probes;
    out_.egress = bill.egress;
  }

  TickOutcome end();

 private:
  void compute() {
    Duration left = job_.tick;
    if (state_.changeover_left > Duration::zero()) left -= change_over();
    if (saves_ && !computes_on(left)) return compute_and_save(left);
    const Duration worked = std::min(left, job_.work - state_.done);
    work(worked);
    out_.surplus += left - worked;
  }

  // True if the rest of the tick has no checkpoint, no pause and no end.
  bool computes_on(Duration left) {
    if (stall_left_ > Duration::zero() || job_.work - state_.done <= left) return false;
    if (saver_ ? !saver_->computes_on(left, now() - left)
               : volatile_ + left >= job_.checkpoint_interval)
      return false;
    volatile_ += left;
    return true;
  }

  void work(Duration worked) {
    state_.done += worked;
    (state_.now == policies::Rental::kSpot ? out_.spot_work : out_.on_demand_work) += worked;
  }

  void pay(market::Usd price) {
    if (job_.billing) return bill_from_now(price);
    an_hour_each_ += price;
  }

  Duration change_over();
  void compute_and_save(Duration left);
  Duration compute_asking(Duration left);
  Duration save(Duration left);
  Duration compute_until_asked(Duration left);
  Duration stall(Duration left);
  Duration step(Duration left);
  void checkpoint();
  Time now() const { return Time{} + state_.tick * job_.tick; }
  void bill_from_now(market::Usd price);
  void settle(Time end, market::Ended ended);

  const TickJob& job_;
  std::optional<PolicySaver> saver_;
  const bool saves_;  // by policies or at an interval
  policies::AcquisitionState state_;
  Duration volatile_{};       // done since the last checkpoint
  Duration stall_left_{};     // of the checkpoint being written
  Duration owed_{};           // the checkpoint of the instance that was left
  market::Usd an_hour_each_;  // the cost of the billed ticks if each were an hour
  market::Usd probes_an_hour_each_;
  // By EC2's rules: of the held instance, and of earlier ones in 10^-9 dollars an hour ×
  // nanoseconds.
  Time launched_{};
  std::vector<market::PricePoint> prices_;
  __int128 billed_ = 0;
  TickOutcome out_;
};

}  // namespace sim::ticks
